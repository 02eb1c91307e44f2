;; what = "Refuses in its start function."
;; covers = "an answer at the wrong time or place"
;; expected = "load-refused"
;; cause = ["describe"]
(func $begin (drop (call $refuse)))
(start $begin)
(func $attack (type $handle)
  unreachable)
