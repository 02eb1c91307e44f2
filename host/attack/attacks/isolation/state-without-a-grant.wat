;; what = "Imports a memory of its own, which it was not granted."
;; covers = "an import that was not granted"
;; imports = ["state"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
