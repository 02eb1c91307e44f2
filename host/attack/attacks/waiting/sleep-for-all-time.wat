;; what = "Sleeps for as long as a number can say."
;; covers = "sleep on the clock"
;; imports = ["sleep"]
;; cause = ["deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (call $block (call $subscribe (i64.const -1)))
  unreachable)
