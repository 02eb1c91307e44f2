;; what = "Makes an integer of what is no number."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  (i32.trunc_f64_s (f64.const nan)))
