;; what = "Answers with a text of two gibibytes."
;; covers = "2 GiB string"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 0))
  (i32.store (i32.const 3080) (i32.const 0x7fffffff))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
