;; what = "Comes twice, under two names."
;; covers = "duplicate ids"
;; place = "twice"
;; expected = "load-refused"
;; cause = ["duplicate-id"]
(func $attack (type $handle)
  (i32.const 0))
