;; what = "Changes what was said twice in one call."
;; covers = "more than one answer in a call"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  ;; One part: a text of four letters.
  (i32.store (i32.const 4096) (i32.const 0x6c697665))
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 4))
  (call $transform (i32.const 3072) (i32.const 1))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
