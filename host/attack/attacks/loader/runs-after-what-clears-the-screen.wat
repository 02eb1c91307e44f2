;; what = "Wants to run after hooks whose names clear the screen, and have three mebibytes."
;; covers = "ANSI and newline injection"
;; pages = 64
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (memory.fill (i32.const 65536) (i32.const 27) (i32.const 3145728))
  ;; A list of one, which is that text.
  (i32.store (i32.const 3000) (i32.const 65536))
  (i32.store (i32.const 3004) (i32.const 3145728))
  (i32.store (i32.const 1088) (i32.const 3000))
  (i32.store (i32.const 1092) (i32.const 1))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
