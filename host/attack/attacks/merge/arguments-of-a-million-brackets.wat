;; what = "Gives a tool a million lists, each within the next."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["transform"]
;; point = "pre-tool-call"
;; pages = 20
;; cause = ["bad-output"]
(func $attack (type $handle)
  (memory.fill (i32.const 65536) (i32.const 91) (i32.const 1000000))
  (call $transform (i32.const 65536) (i32.const 1000000))
  (i32.const 1))
