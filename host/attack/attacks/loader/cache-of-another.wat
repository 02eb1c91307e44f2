;; what = "Its compiled code would be kept where another user can exchange it."
;; covers = "compiled code of another user"
;; place = "cache-of-another"
;; expected = "load-refused"
;; cause = ["cache"]
(func $attack (type $handle)
  (i32.const 0))
