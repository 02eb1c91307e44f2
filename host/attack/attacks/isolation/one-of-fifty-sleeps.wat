;; what = "Sleeps while fifty sessions work."
;; covers = "50 hooks with one spinning and no false timeouts"
;; imports = ["sleep"]
;; cause = ["deadline"]
;; play = "crowd"
;; ceiling-ms = 2_000
(func $attack (type $handle)
  (call $block (call $subscribe (i64.const 3600000000000)))
  unreachable)
