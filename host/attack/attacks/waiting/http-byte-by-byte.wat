;; what = "Wants to talk to a server that answers a byte a second, and was granted none."
;; covers = "1 byte/s HTTP"
;; imports = ["http"]
;; expected = "load-refused"
;; cause = ["not-granted"]
(func $attack (type $handle) unreachable)
