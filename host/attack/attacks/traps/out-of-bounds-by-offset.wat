;; what = "Reads at an address that only becomes too large with its offset."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  (i32.load offset=4294967295 (i32.const -1)))
