;; what = "Answers with a text of two gibibytes."
;; covers = "2 GiB string"
;; cause = ["bad-output"]
(func $attack (type $handle)
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 0))
  (i32.store (i32.const 3080) (i32.const 0x7fffffff))
  ;; A transform to a list of one.
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 1))
  (i32.const 2048))
