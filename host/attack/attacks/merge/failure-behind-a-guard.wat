;; what = "Fails where a guard refused, so that the failure is told and not the refusal."
;; covers = "a refusal is never cleared"
;; answers = []
;; play = "before-a-guard"
;; priority = 300
;; expected = "rejected"
;; cause = ["trap"]
(func $attack (type $handle)
  unreachable)
