;; what = "Is a link to nothing."
;; covers = "symlink swapped"
;; place = "link-to-nothing"
;; expected = "load-refused"
;; cause = ["unreadable", "read"]
(func $attack (type $handle)
  (i32.const 0))
