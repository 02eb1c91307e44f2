;; what = "May refuse, and answers in place of the model."
;; covers = "an answer that is not allowed changes nothing"
;; role = "gate"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 4))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 0))
  (i32.const 2048))
