;; what = "Is named nowhere, wishes to run before everything, and traps where a guard refuses."
;; covers = "a hook that nobody trusted"
;; named = false
;; priority = -2147483648
;; play = "before-a-guard"
;; expected = "rejected"
(func $attack (type $handle)
  unreachable)
