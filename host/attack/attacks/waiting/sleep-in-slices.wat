;; what = "Sleeps for a millisecond, forever."
;; covers = "sleep on the clock"
;; imports = ["sleep"]
;; cause = ["fuel", "deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (local $nap i32)
  (loop $again
    (local.set $nap (call $subscribe (i64.const 1000000)))
    (call $block (local.get $nap))
    (call $drop (local.get $nap))
    (br $again))
  unreachable)
