;; what = "Refuses, with a reason that clears the screen."
;; covers = "ANSI and newline injection"
;; expected = "rejected"
(data (i32.const 4096) "no")
(data (i32.const 5120) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  (call $reject (i32.const 4096) (i32.const 2) (i32.const 5120) (i32.const 36)
    (i32.const 0) (i32.const 0) (i32.const 0))
  (i32.const 1))
