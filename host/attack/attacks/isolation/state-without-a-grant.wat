;; what = "Imports a memory of its own, which it was not granted."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["state"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
