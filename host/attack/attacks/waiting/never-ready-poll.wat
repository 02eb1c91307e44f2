;; what = "Waits for the first of ten things that never happen."
;; covers = "a poll that is never ready"
;; imports = ["sleep"]
;; cause = ["deadline"]
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (local $n i32)
  (loop $next
    (i32.store
      (i32.add (i32.const 2048) (i32.shl (local.get $n) (i32.const 2)))
      (call $subscribe (i64.const -1)))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 10))))
  (call $poll (i32.const 2048) (i32.const 10) (i32.const 4096))
  unreachable)
