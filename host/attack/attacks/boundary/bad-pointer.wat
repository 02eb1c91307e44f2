;; what = "Answers with a list at an address that it does not have."
;; covers = "bad pointer"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 0x7ffffff0) (i32.const 1))
  (i32.const 1))
