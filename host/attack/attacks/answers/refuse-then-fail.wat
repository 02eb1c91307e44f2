;; what = "Refuses, and reports a failure in the same call."
;; covers = "more than one answer in a call"
;; imports = ["failure/fail"]
;; cause = ["bad-output"]
(data (i32.const 4096) "broken")
(func $attack (type $handle)
  (drop (call $refuse))
  (call $fail (i32.const 4096) (i32.const 6))
  (i32.const 1))
