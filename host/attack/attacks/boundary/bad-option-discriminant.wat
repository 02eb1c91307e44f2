;; what = "Refuses, with details that are neither there nor not."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $reject (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 7) (i32.const 0) (i32.const 0))
  (i32.const 1))
