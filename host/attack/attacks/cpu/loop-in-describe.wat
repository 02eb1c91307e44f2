;; what = "Computes forever while it describes itself."
;; covers = "endless loop in the call"
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32) (loop $again (br $again)) unreachable)
(func $attack (type $handle)
  unreachable)
