;; what = "Gives a tool an argument that it does not take."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["transform"]
;; point = "pre-tool-call"
;; cause = ["bad-output"]
(data (i32.const 4096) "{\"path\":\"a\",\"force\":true}")
(func $attack (type $handle)
  (call $transform (i32.const 4096) (i32.const 25))
  (i32.const 1))
