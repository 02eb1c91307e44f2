;; what = "May do no more than refuse, and changes what was said."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["transform"]
;; settings = '''
;; [hooks.hostile]
;; role = "gate"
;; '''
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 4096) (i32.const 0x6c697665))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 4))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
