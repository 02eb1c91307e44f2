;; what = "Gives a tool arguments of another type than it takes."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-tool-call"
;; cause = ["bad-output"]
(data (i32.const 4096) "{\"path\":7}")
(func $attack (type $handle)
  (i32.store8 (i32.const 2052) (i32.const 1))
  (i32.store (i32.const 2056) (i32.const 4096))
  (i32.store (i32.const 2060) (i32.const 10))
  (i32.const 2048))
