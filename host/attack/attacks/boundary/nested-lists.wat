;; what = "Answers with a thousand edits, each of which is one message of a thousand parts."
;; covers = "a list whose elements alias one buffer"
;; point = "pre-llm-call"
;; answers = ["transform"]
;; pages = 16
;; cause = ["bad-output"]
(func $attack (type $handle)
  (local $n i32) (local $at i32)
  (loop $next
    (local.set $at (i32.add (i32.const 65536) (i32.mul (local.get $n) (i32.const 20))))
    (i32.store offset=12 (local.get $at) (i32.const 131072))
    (i32.store offset=16 (local.get $at) (i32.const 1000))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 1000))))
  (call $transform
    ;; No model, no temperature, no limit on tokens.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (f64.const 0)
    (i32.const 0) (i32.const 0)
    ;; The tools as they are, these changes of the messages.
    (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 65536) (i32.const 1000))
  (i32.const 1))
