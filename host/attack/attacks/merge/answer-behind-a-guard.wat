;; what = "Answers in place of the model what a guard refused."
;; covers = "a refusal is never cleared"
;; play = "before-a-guard"
;; priority = 300
;; expected = "rejected"
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 4))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 0))
  (i32.const 2048))
