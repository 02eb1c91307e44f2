;; what = "Answers with a text whose end wraps around to the beginning of memory."
;; covers = "bad pointer"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const -16))
  (i32.store (i32.const 3080) (i32.const 32))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
