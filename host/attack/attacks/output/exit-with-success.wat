;; what = "Leaves the process, and says that all went well."
;; covers = "an error text that says fuel"
;; imports = ["exit"]
;; cause = ["trap"]
(func $attack (type $handle)
  (call $exit (i32.const 0))
  (i32.const 0))
