;; what = "Wants the model to be offered a tool that there is none of."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; cause = ["bad-output"]
(data (i32.const 4096) "rm")
(func $attack (type $handle)
  (i32.store (i32.const 3072) (i32.const 4096))
  (i32.store (i32.const 3076) (i32.const 2))
  (i32.store8 (i32.const 2056) (i32.const 1))
  (i32.store8 (i32.const 2104) (i32.const 1))
  (i32.store (i32.const 2108) (i32.const 3072))
  (i32.store (i32.const 2112) (i32.const 1))
  (i32.const 2048))
