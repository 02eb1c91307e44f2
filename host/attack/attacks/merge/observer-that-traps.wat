;; what = "Observes, and traps."
;; covers = "disabling an observer never changes a verdict"
;; answers = []
;; expected = "survived"
;; cause = ["trap"]
(func $attack (type $handle)
  unreachable)
