;; what = "Changes the arguments of a tool, and returns that it gave no answer."
;; covers = "more than one answer in a call"
;; point = "pre-tool-call"
;; answers = ["transform"]
;; cause = ["bad-output"]
(data (i32.const 4096) "{\"path\":\"other.txt\"}")
(func $attack (type $handle)
  (call $transform (i32.const 4096) (i32.const 20))
  (i32.const 0))
