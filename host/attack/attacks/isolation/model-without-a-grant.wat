;; what = "Imports the agent's model, which it was not granted."
;; covers = "an import that was not granted"
;; imports = ["model"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
