;; what = "Imports what hooks share, which it was not granted."
;; covers = "an import that was not granted"
;; imports = ["shared-state"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle)
  unreachable)
