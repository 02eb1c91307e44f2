;; what = "Answers with a list whose size in bytes is more than 32 bits can say."
;; covers = "2 GiB string"
;; answers = ["transform"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $transform (i32.const 0) (i32.const 0x08000001))
  (i32.const 1))
