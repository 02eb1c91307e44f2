;; what = "Refuses, and sleeps for an hour."
;; covers = "an answer at the wrong time or place"
;; imports = ["sleep"]
;; cause = ["deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (drop (call $refuse))
  (call $block (call $subscribe (i64.const 3600000000000)))
  unreachable)
