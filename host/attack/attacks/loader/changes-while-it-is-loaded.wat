;; what = "Changes between the check and the load."
;; covers = "file changed between check and load"
;; place = "changing"
;; expected = "survived"
;; ceiling-ms = 3_000
(func $attack (type $handle)
  (i32.const 0))
