;; what = "Imports changes of the agent's state, which it was not granted."
;; covers = "a hook changes only the keys of the agent's state that it was granted"
;; imports = ["agent-state-edit"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
