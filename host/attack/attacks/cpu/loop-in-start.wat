;; what = "Computes forever in its start function."
;; covers = "endless loop in the start function"
;; expected = "load-refused"
;; cause = ["describe"]
(func $begin (loop $again (br $again)))
(start $begin)
(func $attack (type $handle)
  unreachable)
