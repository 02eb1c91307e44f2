;; what = "Fails where a guard refused, so that the failure is told and not the refusal."
;; covers = "a refusal is never cleared"
;; play = "before-a-guard"
;; priority = 300
;; role = "observe"
;; expected = "rejected"
;; cause = ["trap"]
(func $attack (type $handle)
  unreachable)
