;; what = "Grows its memory by more than it may have while the host asks it for memory."
;; covers = "endless loop in cabi_realloc"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/facts"]
;; cause = ["memory"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (i32.shl (memory.grow (i32.const 2000)) (i32.const 16)))
(func $attack (type $handle)
  (call $facts (i32.const 2048))
  (i32.const 0))
