;; what = "Reads facts while it describes itself, when there is no call."
;; covers = "facts of another call"
;; imports = ["pre-turn-facts/text-bytes"]
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (drop (call $text-bytes))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
