;; what = "Answers so that half of the answer lies behind the end of its memory."
;; covers = "bad pointer"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 131064))
