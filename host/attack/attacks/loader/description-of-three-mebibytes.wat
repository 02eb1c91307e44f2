;; what = "Describes itself in three mebibytes of control characters, and serves no point that it names."
;; covers = "ANSI and newline injection"
;; pages = 64
;; expected = "load-refused"
;; cause = ["points-mismatch", "describe"]
(func (export "describe") (result i32)
  (memory.fill (i32.const 65536) (i32.const 27) (i32.const 3145728))
  (i32.store (i32.const 1048) (i32.const 65536))
  (i32.store (i32.const 1052) (i32.const 3145728))
  ;; A name of the same size, in place of the point's name.
  (i32.store (i32.load (i32.const 1056)) (i32.const 65536))
  (i32.store (i32.add (i32.load (i32.const 1056)) (i32.const 4)) (i32.const 3145728))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
