;; what = "Calls itself at its end, for which no stack is needed."
;; covers = "endless loop in the call"
;; cause = ["fuel", "deadline"]
(func $again (result i32) (return_call $again))
(func $attack (type $handle)
  (call $again))
