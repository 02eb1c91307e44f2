;; what = "Computes forever in a call."
;; covers = "endless loop in the call"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
