;; what = "Answers with a hundred thousand empty texts."
;; covers = "oversized result"
;; answers = ["transform"]
;; pages = 52
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 65536) (i32.const 100000))
  (i32.const 1))
