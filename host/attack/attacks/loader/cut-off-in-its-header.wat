;; what = "Was cut off within its first eight bytes."
;; covers = "file cut off mid-copy"
;; bytes = "00 61 73 6d 0d"
;; expected = "load-refused"
;; cause = ["invalid"]
