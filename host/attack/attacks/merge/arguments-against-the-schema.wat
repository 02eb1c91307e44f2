;; what = "Gives a tool arguments of another type than it takes."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["transform"]
;; point = "pre-tool-call"
;; cause = ["bad-output"]
(data (i32.const 4096) "{\"path\":7}")
(func $attack (type $handle)
  (call $transform (i32.const 4096) (i32.const 10))
  (i32.const 1))
