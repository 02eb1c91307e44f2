;; what = "Asks for the time forever."
;; covers = "millions of cheap host calls"
;; imports = ["now"]
;; cause = ["fuel", "deadline", "host-calls", "overload"]
(func $attack (type $handle)
  (loop $again (drop (call $now)) (br $again))
  unreachable)
