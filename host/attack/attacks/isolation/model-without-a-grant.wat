;; what = "Imports the agent's model, which it was not granted."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["model"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
