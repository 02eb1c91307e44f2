;; what = "Is a link that changes its target while it is loaded."
;; covers = "symlink swapped"
;; place = "link-swapped"
;; expected = "survived"
;; ceiling-ms = 3_000
(func $attack (type $handle)
  (i32.const 0))
