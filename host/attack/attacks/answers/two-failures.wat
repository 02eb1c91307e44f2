;; what = "Reports two failures in one call."
;; covers = "more than one answer in a call"
;; imports = ["failure/fail", "failure/bad-config"]
;; cause = ["bad-output"]
(data (i32.const 4096) "broken")
(func $attack (type $handle)
  (call $fail (i32.const 4096) (i32.const 6))
  (call $bad-config (i32.const 4096) (i32.const 6))
  (i32.const 1))
