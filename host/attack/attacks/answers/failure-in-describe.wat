;; what = "Reports a failure while it describes itself."
;; covers = "an answer at the wrong time or place"
;; imports = ["failure/fail"]
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (call $fail (i32.const 4096) (i32.const 0))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
