;; what = "Refuses, with details that are neither there nor not."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 2))
  (i32.store8 (i32.const 2072) (i32.const 7))
  (i32.const 2048))
