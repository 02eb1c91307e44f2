;; what = "Looks on, and traps."
;; covers = "disabling an observer never changes a verdict"
;; role = "observe"
;; expected = "survived"
;; cause = ["trap"]
(func $attack (type $handle)
  unreachable)
