;; what = "Takes the one message away, and then changes the hundredth."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 65536) (i32.const 2))
  (i32.store (i32.const 65540) (i32.const 0))
  (i32.store (i32.const 65556) (i32.const 2))
  (i32.store (i32.const 65560) (i32.const 100))
  (call $transform
    ;; No model, no temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (f64.const 0)
    (i32.const 0) (i32.const 0)
    ;; The tools as they are, these changes of the messages.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 65536) (i32.const 2))
  (i32.const 1))
