;; what = "Logs at the two hundredth of six levels."
;; covers = "bad discriminant"
;; imports = ["logging"]
;; cause = ["bad-output", "trap"]
(func $attack (type $handle)
  (call $log (i32.const 200) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
  (i32.const 0))
