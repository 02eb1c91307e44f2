;; what = "Is a core module and no component."
;; covers = "core module instead of component"
;; bytes = "00 61 73 6d 01 00 00 00"
;; expected = "load-refused"
;; cause = ["core-module"]
