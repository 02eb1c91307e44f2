;; what = "Answers with the two hundredth of five outcomes."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 200))
  (i32.const 2048))
