;; what = "Says that it contributes what nobody granted it."
;; covers = "an answer that is not allowed changes nothing"
;; point = "prompt-policy"
;; contributes = ["policy"]
;; expected = "load-refused"
;; cause = ["may-not-contribute"]
(data (i32.const 4096) "memory")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (i32.const 6))
  (i32.store (i32.const 3084) (i32.const 4112))
  (i32.store (i32.const 3088) (i32.const 2))
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 3072))
  (i32.store (i32.const 2060) (i32.const 1))
  (i32.const 2048))
