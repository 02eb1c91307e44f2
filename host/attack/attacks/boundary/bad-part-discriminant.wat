;; what = "Answers with a part of an unknown kind."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 3072) (i32.const 99))
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 1))
  (i32.const 2048))
