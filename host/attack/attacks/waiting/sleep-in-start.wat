;; what = "Sleeps for an hour in its start function."
;; covers = "sleep on the clock"
;; imports = ["sleep"]
;; expected = "load-refused"
;; cause = ["describe"]
;; ceiling-ms = 1_600
(func $begin (call $block (call $subscribe (i64.const 3600000000000))))
(start $begin)
(func $attack (type $handle)
  unreachable)
