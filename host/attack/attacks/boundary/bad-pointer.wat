;; what = "Answers at an address that it does not have."
;; covers = "bad pointer"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.const 0x7ffffff0))
