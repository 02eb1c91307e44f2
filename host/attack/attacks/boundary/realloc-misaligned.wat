;; what = "Says that what the host hands to it is to be written to an odd address."
;; covers = "bad pointer"
;; point = "pre-llm-call"
;; cause = ["bad-output", "trap"]
;; healthy = false
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 2049))
(func $attack (type $handle)
  (i32.const 256))
