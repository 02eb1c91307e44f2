;; what = "Returns two, which is true, and has given no answer."
;; covers = "bad discriminant"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 2))
