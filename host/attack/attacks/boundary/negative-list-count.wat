;; what = "Answers with a list of minus one elements."
;; covers = "2 GiB string"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 3072) (i32.const -1))
  (i32.const 1))
