;; what = "Refuses twice in one call."
;; covers = "more than one answer in a call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (drop (call $refuse))
  (call $refuse))
