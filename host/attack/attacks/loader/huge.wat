;; what = "Is larger than any component may be."
;; covers = "file cut off mid-copy"
;; place = "huge"
;; expected = "load-refused"
;; cause = ["too-large"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (i32.const 0))
