;; what = "Divides the lowest number by minus one."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  (i32.div_s (i32.const 0x80000000) (i32.const -1)))
