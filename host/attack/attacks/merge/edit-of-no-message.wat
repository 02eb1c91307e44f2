;; what = "Changes the hundredth of one message."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store (i32.const 65536) (i32.const 2))
  (i32.store (i32.const 65540) (i32.const 100))
  (i32.store8 (i32.const 2056) (i32.const 1))
  (i32.store (i32.const 2116) (i32.const 65536))
  (i32.store (i32.const 2120) (i32.const 1))
  (i32.const 2048))
