;; what = "Refuses, and returns that it gave no answer."
;; covers = "more than one answer in a call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (drop (call $refuse))
  (i32.const 0))
