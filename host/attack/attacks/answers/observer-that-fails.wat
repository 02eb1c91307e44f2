;; what = "Observes, and reports a failure."
;; covers = "more than one answer in a call"
;; answers = []
;; imports = ["failure/fail"]
;; expected = "survived"
;; cause = ["guest-error"]
(data (i32.const 4096) "broken")
(func $attack (type $handle)
  (call $fail (i32.const 4096) (i32.const 6))
  (i32.const 1))
