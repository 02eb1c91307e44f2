;; what = "Is a pipe that nobody writes to."
;; covers = "symlink swapped"
;; place = "pipe"
;; expected = "load-refused"
;; cause = ["not-a-file"]
(func $attack (type $handle)
  (i32.const 0))
