;; what = "Looks on for ever."
;; covers = "disabling an observer never changes a verdict"
;; role = "observe"
;; expected = "survived"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
