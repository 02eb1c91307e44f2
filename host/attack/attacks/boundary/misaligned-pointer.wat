;; what = "Answers at an odd address."
;; covers = "bad pointer"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 2049))
