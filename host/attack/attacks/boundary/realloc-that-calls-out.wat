;; what = "Calls the host while the host asks it for memory."
;; covers = "endless loop in cabi_realloc"
;; point = "pre-tool-call"
;; imports = ["now", "pre-tool-call-facts/name"]
;; cause = ["trap", "bad-output"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (drop (call $now))
  (i32.const 4096))
(func $attack (type $handle)
  (call $name (i32.const 2048))
  (i32.const 0))
