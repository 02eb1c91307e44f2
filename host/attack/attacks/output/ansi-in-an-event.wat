;; what = "Emits an event whose name clears the screen, and then traps."
;; covers = "ANSI and newline injection"
;; imports = ["events"]
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile.grants]
;; events = true
;; '''
(data (i32.const 4096) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  (call $emit (i32.const 4096) (i32.const 34) (i32.const 4096) (i32.const 34))
  unreachable)
