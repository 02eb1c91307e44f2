;; what = "Wants the model to be offered a tool that there is none of."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; cause = ["bad-output"]
(data (i32.const 4096) "rm")
(func $attack (type $handle)
  (i32.store (i32.const 3072) (i32.const 4096))
  (i32.store (i32.const 3076) (i32.const 2))
  (call $transform
    ;; No model, no temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (f64.const 0)
    (i32.const 0) (i32.const 0)
    ;; These tools, the messages as they are.
    (i32.const 1) (i32.const 3072) (i32.const 1)
    (i32.const 0) (i32.const 0))
  (i32.const 1))
