;; what = "Is a link to a device that never ends."
;; covers = "symlink swapped"
;; place = "link-to-device"
;; expected = "load-refused"
;; cause = ["not-a-file", "read"]
(func $attack (type $handle)
  (i32.const 0))
