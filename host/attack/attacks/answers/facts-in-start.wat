;; what = "Reads facts in its start function."
;; covers = "facts of another call"
;; imports = ["pre-turn-facts/text-bytes"]
;; expected = "load-refused"
;; cause = ["describe"]
(func $begin (drop (call $text-bytes)))
(start $begin)
(func $attack (type $handle)
  unreachable)
