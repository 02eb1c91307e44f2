;; what = "Clears the screen and forges a line, in the log."
;; covers = "ANSI and newline injection"
;; imports = ["logging"]
;; expected = "survived"
(data (i32.const 4096) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  (call $log (i32.const 2) (i32.const 4096) (i32.const 34) (i32.const 4096) (i32.const 34))
  (i32.const 0))
