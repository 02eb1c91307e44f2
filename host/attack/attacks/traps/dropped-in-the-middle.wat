;; what = "Sleeps, and its call is given up meanwhile."
;; covers = "future dropped mid-call"
;; imports = ["sleep"]
;; play = "dropped"
;; expected = "survived"
(func $attack (type $handle)
  (call $block (call $subscribe (i64.const 3600000000000)))
  unreachable)
