;; what = "Grows its memory in its start function."
;; covers = "allocation bomb at start"
;; expected = "load-refused"
;; cause = ["describe"]
(func $begin (drop (memory.grow (i32.const 60000))))
(start $begin)
(func $attack (type $handle)
  unreachable)
