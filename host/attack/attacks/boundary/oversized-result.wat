;; what = "Answers with eight mebibytes, which it has."
;; covers = "oversized result"
;; answers = ["transform"]
;; pages = 140
;; cause = ["bad-output"]
(func $attack (type $handle)
  (memory.fill (i32.const 65536) (i32.const 120) (i32.const 8388608))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 65536))
  (i32.store (i32.const 3080) (i32.const 8388608))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
