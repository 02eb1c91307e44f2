;; what = "Waits for the first of no things at all."
;; covers = "a poll that is never ready"
;; imports = ["sleep"]
;; cause = ["trap", "bad-output", "deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (call $poll (i32.const 2048) (i32.const 0) (i32.const 4096))
  unreachable)
