;; what = "Wants to decide in the background, when it is too late."
;; covers = "WIT version skew"
;; execution = "background"
;; expected = "load-refused"
;; cause = ["nobody-waits"]
(func $attack (type $handle)
  (i32.const 0))
