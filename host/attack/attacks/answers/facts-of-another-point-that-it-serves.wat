;; what = "Serves tool calls too, and reads the facts of the last one when a turn begins."
;; covers = "facts of another call"
;; also = "pre-tool-call"
;; imports = ["pre-tool-call-facts/facts"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $pre-tool-call-facts/facts (i32.const 2048))
  (i32.const 0))
