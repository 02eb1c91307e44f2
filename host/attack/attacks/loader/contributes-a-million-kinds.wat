;; what = "Says a million times that it contributes remarks."
;; covers = "duplicate ids"
;; pages = 20
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (memory.fill (i32.const 65536) (i32.const 4) (i32.const 1000000))
  (i32.store (i32.const 1100) (i32.const 65536))
  (i32.store (i32.const 1104) (i32.const 1000000))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 256))
