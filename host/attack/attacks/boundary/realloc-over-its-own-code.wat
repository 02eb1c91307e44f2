;; what = "Has everything that it reads written to one and the same place, over its descriptor."
;; covers = "bad pointer"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/facts", "call/context"]
;; expected = "survived"
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 1024))
(func $attack (type $handle)
  (call $facts (i32.const 1024))
  (call $context (i32.const 1024))
  (i32.const 0))
