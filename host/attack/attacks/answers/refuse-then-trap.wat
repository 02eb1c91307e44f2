;; what = "Refuses, and traps: it failed, and did not refuse."
;; covers = "an answer at the wrong time or place"
;; cause = ["trap"]
(func $attack (type $handle)
  (drop (call $refuse))
  unreachable)
