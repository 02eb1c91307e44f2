;; what = "Is of a layer that there is none of."
;; covers = "core module instead of component"
;; bytes = "00 61 73 6d 0d 00 09 00"
;; expected = "load-refused"
;; cause = ["invalid"]
