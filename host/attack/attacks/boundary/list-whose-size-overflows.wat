;; what = "Answers with a list whose size in bytes is more than 32 bits can say."
;; covers = "2 GiB string"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 0))
  (i32.store (i32.const 2060) (i32.const 0x0aaaaaab))
  (i32.const 2048))
