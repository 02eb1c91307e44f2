;; what = "Says that it serves another point than it exports."
;; covers = "WIT version skew"
;; expected = "load-refused"
;; cause = ["points-mismatch"]
(data (i32.const 8192) "pre-step")
(func (export "describe") (result i32)
  (i32.store (i32.load (i32.const 1056)) (i32.const 8192))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
