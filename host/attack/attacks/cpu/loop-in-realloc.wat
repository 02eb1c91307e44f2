;; what = "Computes for ever when the host asks it for memory for its arguments."
;; covers = "endless loop in cabi_realloc"
;; cause = ["fuel", "deadline"]
;; healthy = false
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (loop $again (br $again))
  unreachable)
(func $attack (type $handle)
  unreachable)
