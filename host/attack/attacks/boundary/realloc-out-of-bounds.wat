;; what = "Says that its arguments are to be written behind the end of its memory."
;; covers = "bad pointer"
;; cause = ["bad-output", "trap"]
;; healthy = false
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0x7ffffff0))
(func $attack (type $handle)
  unreachable)
