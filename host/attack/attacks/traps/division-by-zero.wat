;; what = "Divides by zero."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  (i32.div_u (i32.const 256) (i32.const 0)))
