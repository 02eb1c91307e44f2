;; what = "Sets the temperature of a model call to what is no number."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform
    ;; No model, a temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 1) (f64.const nan)
    (i32.const 0) (i32.const 0)
    ;; The tools and the messages as they are.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (i32.const 0))
  (i32.const 1))
