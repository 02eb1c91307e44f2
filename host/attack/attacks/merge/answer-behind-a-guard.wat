;; what = "Answers in place of the model what a guard refused."
;; covers = "a refusal is never cleared"
;; answers = ["answer"]
;; play = "before-a-guard"
;; priority = 300
;; expected = "rejected"
(func $attack (type $handle)
  (call $answer (i32.const 3072) (i32.const 0))
  (i32.const 1))
