;; what = "May refuse, and changes what was said."
;; covers = "an answer that is not allowed changes nothing"
;; role = "gate"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 4096) (i32.const 0x6c697665))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 4))
  ;; A transform to a list of one.
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 1))
  (i32.const 2048))
