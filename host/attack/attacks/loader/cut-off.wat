;; what = "Was cut off while it was copied."
;; covers = "file cut off mid-copy"
;; place = "cut-off"
;; expected = "load-refused"
;; cause = ["invalid"]
(func $attack (type $handle)
  (i32.const 0))
