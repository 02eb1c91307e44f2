;; what = "Imports the network."
;; covers = "unknown import"
;; raw = true
;; expected = "load-refused"
;; cause = ["unknown-import"]
(component (import "wasi:sockets/tcp@0.2.0" (instance)))
