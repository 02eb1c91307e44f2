;; what = "Answers in place of the tool, and leaves the process."
;; covers = "an answer at the wrong time or place"
;; point = "pre-tool-call"
;; answers = ["answer"]
;; imports = ["exit"]
;; cause = ["trap"]
(func $attack (type $handle)
  (call $answer (i32.const 4096) (i32.const 0) (i32.const 0))
  (call $exit (i32.const 0))
  (i32.const 1))
