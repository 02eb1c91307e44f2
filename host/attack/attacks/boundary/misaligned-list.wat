;; what = "Answers with a list at an odd address."
;; covers = "bad pointer"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 3073))
  (i32.store (i32.const 2060) (i32.const 1))
  (i32.const 2048))
