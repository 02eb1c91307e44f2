;; what = "Traps in its start function."
;; covers = "endless loop in the start function"
;; expected = "load-refused"
;; cause = ["describe"]
(func $begin unreachable)
(start $begin)
(func $attack (type $handle)
  unreachable)
