;; what = "Looks on, and refuses."
;; covers = "disabling an observer never changes a verdict"
;; role = "observe"
;; expected = "survived"
;; cause = ["bad-output"]
(data (i32.const 4096) "no")
(data (i32.const 5120) "because")
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 2))
  (i32.store (i32.const 2056) (i32.const 4096))
  (i32.store (i32.const 2060) (i32.const 2))
  (i32.store (i32.const 2064) (i32.const 5120))
  (i32.store (i32.const 2068) (i32.const 7))
  (i32.const 2048))
