;; what = "Refuses while it describes itself."
;; covers = "an answer at the wrong time or place"
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (drop (call $refuse))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
