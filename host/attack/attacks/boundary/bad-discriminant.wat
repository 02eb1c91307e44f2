;; what = "Answers in place of the model, which stopped for the two hundredth of six reasons."
;; covers = "bad discriminant"
;; point = "pre-llm-call"
;; answers = ["answer"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $answer
    (i32.const 0) (i32.const 0)
    (i32.const 200) (i32.const 0) (i32.const 0)
    (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0))
  (i32.const 1))
