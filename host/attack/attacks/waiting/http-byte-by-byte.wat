;; what = "Wants to talk to a server that answers a byte a second."
;; covers = "1 byte/s HTTP"
;; raw = true
;; expected = "load-refused"
;; cause = ["unknown-import"]
(component (import "wasi:http/outgoing-handler@0.2.0" (instance)))
