;; what = "Calls itself like a hook that the operator named, and so would have its grants."
;; covers = "a hook that nobody trusted"
;; named = false
;; id = "witness"
;; imports = ["conversation"]
;; expected = "load-refused"
;; cause = ["duplicate-id"]
(func $attack (type $handle)
  unreachable)
