;; what = "Is named nowhere, and imports what was said in earlier turns."
;; covers = "a hook that nobody trusted"
;; named = false
;; imports = ["conversation"]
;; expected = "load-refused"
;; cause = ["unnamed"]
(func $attack (type $handle)
  unreachable)
