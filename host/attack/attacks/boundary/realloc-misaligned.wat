;; what = "Has a list that it reads written to an odd address."
;; covers = "bad pointer"
;; point = "pre-llm-call"
;; imports = ["tool-catalog/names"]
;; cause = ["bad-output", "trap"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 4097))
(func $attack (type $handle)
  (call $names (i32.const 2048))
  (i32.const 0))
