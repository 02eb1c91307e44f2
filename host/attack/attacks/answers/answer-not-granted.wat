;; what = "Imports an answer that the operator does not let it give."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["answer", "reject"]
;; expected = "load-refused"
;; cause = ["may-not-answer"]
;; settings = '''
;; [hooks.hostile.grants]
;; answers = ["reject"]
;; '''
(func $attack (type $handle)
  (call $answer (i32.const 0) (i32.const 0))
  (i32.const 1))
