;; what = "Reads a fact forever."
;; covers = "millions of cheap host calls"
;; imports = ["pre-turn-facts/text-bytes"]
;; cause = ["fuel", "deadline", "host-calls", "overload"]
(func $attack (type $handle)
  (loop $again (drop (call $text-bytes)) (br $again))
  unreachable)
