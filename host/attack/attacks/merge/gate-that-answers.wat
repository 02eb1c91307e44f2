;; what = "May do no more than refuse, and answers in place of the model."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["answer"]
;; settings = '''
;; [hooks.hostile]
;; role = "gate"
;; '''
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $answer (i32.const 3072) (i32.const 0))
  (i32.const 1))
