;; what = "Answers with a part of an unknown kind."
;; covers = "bad discriminant"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 3072) (i32.const 99))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
