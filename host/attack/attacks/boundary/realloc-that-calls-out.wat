;; what = "Calls the host while the host asks it for memory."
;; covers = "endless loop in cabi_realloc"
;; imports = ["now"]
;; cause = ["trap", "bad-output"]
;; healthy = false
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (drop (call $now))
  (i32.const 4096))
(func $attack (type $handle)
  unreachable)
