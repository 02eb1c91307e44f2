;; what = "Observes, and computes forever."
;; covers = "disabling an observer never changes a verdict"
;; answers = []
;; expected = "survived"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
