;; what = "Wants the model to be offered one tool fifty thousand times."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; pages = 16
;; cause = ["bad-output"]
(data (i32.const 4096) "write")
(func $attack (type $handle)
  (local $n i32)
  (loop $next
    (i32.store (i32.add (i32.const 65536) (i32.shl (local.get $n) (i32.const 3))) (i32.const 4096))
    (i32.store (i32.add (i32.const 65540) (i32.shl (local.get $n) (i32.const 3))) (i32.const 5))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 50000))))
  (call $transform
    ;; No model, no temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (f64.const 0)
    (i32.const 0) (i32.const 0)
    ;; These tools, the messages as they are.
    (i32.const 1) (i32.const 65536) (i32.const 50000)
    (i32.const 0) (i32.const 0))
  (i32.const 1))
