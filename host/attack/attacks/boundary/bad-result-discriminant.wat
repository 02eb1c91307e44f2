;; what = "Answers neither well nor badly."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2048) (i32.const 7))
  (i32.const 2048))
