;; what = "Reads facts while the host asks it for memory for a fact."
;; covers = "facts of another call"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/name", "pre-tool-call-facts/facts"]
;; cause = ["trap", "bad-output"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (call $facts (i32.const 8192))
  (i32.const 4096))
(func $attack (type $handle)
  (call $name (i32.const 2048))
  (i32.const 0))
