;; what = "Has a fact that it reads written to the last byte of its memory."
;; covers = "bad pointer"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/facts"]
;; cause = ["bad-output", "trap"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 131071))
(func $attack (type $handle)
  (call $facts (i32.const 2048))
  (i32.const 0))
