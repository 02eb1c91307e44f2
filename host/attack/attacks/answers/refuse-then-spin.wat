;; what = "Refuses, and computes forever."
;; covers = "an answer at the wrong time or place"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (drop (call $refuse))
  (loop $again (br $again))
  unreachable)
