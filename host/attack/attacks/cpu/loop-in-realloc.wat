;; what = "Computes forever when the host asks it for memory for a fact that it reads."
;; covers = "endless loop in cabi_realloc"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/name"]
;; cause = ["fuel", "deadline"]
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (loop $again (br $again))
  unreachable)
(func $attack (type $handle)
  (call $name (i32.const 2048))
  (i32.const 0))
