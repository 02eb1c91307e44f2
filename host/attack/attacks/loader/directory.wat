;; what = "Is a directory."
;; covers = "symlink swapped"
;; place = "directory"
;; expected = "load-refused"
;; cause = ["not-a-file"]
(func $attack (type $handle)
  (i32.const 0))
