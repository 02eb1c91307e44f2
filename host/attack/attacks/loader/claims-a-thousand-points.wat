;; what = "Says that it serves a hundred thousand points."
;; covers = "WIT version skew"
;; pages = 32
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (i32.store (i32.const 1056) (i32.const 65536))
  (i32.store (i32.const 1060) (i32.const 100000))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
