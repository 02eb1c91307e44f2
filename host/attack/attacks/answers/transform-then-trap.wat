;; what = "Changes the arguments of a tool, and traps: they stay as they were."
;; covers = "an answer at the wrong time or place"
;; point = "pre-tool-call"
;; answers = ["transform"]
;; cause = ["trap"]
(data (i32.const 4096) "{\"path\":\"other.txt\"}")
(func $attack (type $handle)
  (call $transform (i32.const 4096) (i32.const 20))
  unreachable)
