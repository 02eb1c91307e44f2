;; what = "Asks for the session while it describes itself, when there is none."
;; covers = "facts of another call"
;; imports = ["call/session-id"]
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "describe") (result i32)
  (call $session-id (i32.const 4096))
  ;; The hook loads only if it gets a session id.
  (if (i32.eqz (i32.load (i32.const 4100))) (then unreachable))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
