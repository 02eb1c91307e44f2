;; what = "Changes the messages ten thousand times, each time at their beginning."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; pages = 16
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform
    ;; No model, no temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (f64.const 0)
    (i32.const 0) (i32.const 0)
    ;; The tools as they are, these changes of the messages.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 65536) (i32.const 10000))
  (i32.const 1))
