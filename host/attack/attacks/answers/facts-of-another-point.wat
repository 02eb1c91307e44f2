;; what = "Reads the facts of a tool call when a turn begins."
;; covers = "facts of another call"
;; imports = ["pre-tool-call-facts/name"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $pre-tool-call-facts/name (i32.const 2048))
  (i32.const 0))
