;; what = "Answers with a list at an odd address."
;; covers = "bad pointer"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 3073) (i32.const 1))
  (i32.const 1))
