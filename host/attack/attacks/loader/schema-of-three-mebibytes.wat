;; what = "Gives a schema of its configuration of three mebibytes."
;; covers = "hostile schemas"
;; pages = 64
;; expected = "load-refused"
;; cause = ["config-schema"]
(func (export "schema") (result i32)
  (memory.fill (i32.const 65536) (i32.const 32) (i32.const 3145728))
  ;; `{}`, behind the spaces.
  (i32.store16 (i32.const 3211262) (i32.const 0x7d7b))
  (i32.store (i32.const 2048) (i32.const 65536))
  (i32.store (i32.const 2052) (i32.const 3145728))
  (i32.const 2048))
(func $attack (type $handle)
  (i32.const 0))
