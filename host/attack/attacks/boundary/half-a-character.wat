;; what = "Answers with a text that ends within a character."
;; covers = "bad UTF-8"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 4096) (i32.const 0x00829fe2))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 2))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
