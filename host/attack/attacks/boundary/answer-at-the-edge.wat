;; what = "Answers with a list whose element lies behind the end of its memory, but for its first half."
;; covers = "bad pointer"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 131056) (i32.const 1))
  (i32.const 1))
