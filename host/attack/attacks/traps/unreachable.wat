;; what = "Traps at once."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  unreachable)
