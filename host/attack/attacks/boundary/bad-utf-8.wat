;; what = "Answers with a text that is no UTF-8."
;; covers = "bad UTF-8"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 4096) (i32.const 0xfffefdfc))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 4))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
