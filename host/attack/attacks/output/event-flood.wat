;; what = "Emits events forever."
;; covers = "log flood"
;; imports = ["events"]
;; cause = ["fuel", "deadline", "overload", "host-calls"]
;; settings = '''
;; [hooks.hostile.grants]
;; events = true
;; '''
(func $attack (type $handle)
  (loop $again
    (call $emit (i32.const 4096) (i32.const 100) (i32.const 4096) (i32.const 1000))
    (br $again))
  unreachable)
