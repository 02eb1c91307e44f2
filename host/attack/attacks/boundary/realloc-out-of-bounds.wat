;; what = "Has a fact that it reads written behind the end of its memory."
;; covers = "bad pointer"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/name"]
;; cause = ["bad-output", "trap"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 0x7ffffff0))
(func $attack (type $handle)
  (call $name (i32.const 2048))
  (i32.const 0))
