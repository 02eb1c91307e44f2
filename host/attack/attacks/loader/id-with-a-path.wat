;; what = "Calls itself by a path that leads out of wherever it is put."
;; covers = "duplicate ids"
;; id = "../../etc/passwd"
;; expected = "load-refused"
;; cause = ["bad-id"]
(func $attack (type $handle)
  (i32.const 0))
