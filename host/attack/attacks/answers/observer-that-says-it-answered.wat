;; what = "Observes, and returns that it answered."
;; covers = "more than one answer in a call"
;; answers = []
;; expected = "survived"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 1))
