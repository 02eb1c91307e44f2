;; what = "Reports a failure, and returns that it gave no answer."
;; covers = "more than one answer in a call"
;; imports = ["failure/fail"]
;; cause = ["bad-output"]
(data (i32.const 4096) "broken")
(func $attack (type $handle)
  (call $fail (i32.const 4096) (i32.const 6))
  (i32.const 0))
