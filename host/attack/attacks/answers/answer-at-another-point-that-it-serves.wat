;; what = "Serves the begin of turns too, and answers one in place of a tool call."
;; covers = "an answer at the wrong time or place"
;; point = "pre-tool-call"
;; also = "pre-turn"
;; imports = ["pre-turn-answer/answer"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $pre-turn-answer/answer (i32.const 0) (i32.const 0))
  (i32.const 1))
