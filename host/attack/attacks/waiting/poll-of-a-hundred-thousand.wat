;; what = "Polls one thing a hundred thousand times at once."
;; covers = "a poll that is never ready"
;; imports = ["sleep"]
;; pages = 32
;; cause = ["handles"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (local $n i32) (local $h i32)
  (local.set $h (call $subscribe (i64.const -1)))
  (loop $next
    (i32.store (i32.add (i32.const 65536) (i32.shl (local.get $n) (i32.const 2))) (local.get $h))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 100000))))
  (call $poll (i32.const 65536) (i32.const 100000) (i32.const 4096))
  unreachable)
