;; what = "Is empty."
;; covers = "file cut off mid-copy"
;; bytes = ""
;; expected = "load-refused"
;; cause = ["empty"]
