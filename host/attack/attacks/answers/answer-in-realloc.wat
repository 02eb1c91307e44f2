;; what = "Refuses while the host asks it for memory for a fact."
;; covers = "an answer at the wrong time or place"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/name"]
;; cause = ["trap", "bad-output"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (drop (call $refuse))
  (i32.const 4096))
(func $attack (type $handle)
  (call $name (i32.const 2048))
  (i32.const 1))
