;; what = "Sleeps for an hour."
;; covers = "sleep on the clock"
;; imports = ["sleep"]
;; cause = ["deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (call $block (call $subscribe (i64.const 3600000000000)))
  unreachable)
