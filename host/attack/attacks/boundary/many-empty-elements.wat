;; what = "Answers with a hundred thousand empty texts."
;; covers = "oversized result"
;; pages = 48
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 65536))
  (i32.store (i32.const 2060) (i32.const 100000))
  (i32.const 2048))
