;; what = "Is named nowhere, and imports state of its own."
;; covers = "a hook that nobody trusted"
;; named = false
;; imports = ["state"]
;; expected = "load-refused"
;; cause = ["unnamed"]
(func $attack (type $handle)
  unreachable)
