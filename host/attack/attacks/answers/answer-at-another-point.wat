;; what = "Refuses a tool call when a turn begins."
;; covers = "an answer at the wrong time or place"
;; imports = ["pre-tool-call-answer/reject"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $pre-tool-call-answer/reject (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (i32.const 0) (i32.const 0))
  (i32.const 1))
