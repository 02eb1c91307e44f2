;; what = "Calls itself at its end, where fuel is not counted."
;; covers = "endless loop in the call"
;; cause = ["deadline"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $again (result i32) (return_call $again))
(func $attack (type $handle)
  (call $again))
