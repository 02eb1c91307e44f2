;; what = "Puts a value in place that nobody may change any more, before a guard of the role `transform` that refuses it."
;; covers = "a refusal is never cleared"
;; answers = ["replace"]
;; play = "before-a-transform"
;; priority = -50
;; expected = "rejected"
(func $attack (type $handle)
  ;; A text of two letters, as long as the text that the neighbour contributes in this call.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 2))
  (call $replace (i32.const 3072) (i32.const 1))
  (i32.const 1))
