;; what = "Returns that it answered, and has not."
;; covers = "more than one answer in a call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 1))
