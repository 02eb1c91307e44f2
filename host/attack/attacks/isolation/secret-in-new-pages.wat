;; what = "Looks for what somebody else left in memory that it gets anew."
;; covers = "a secret left in memory by session A is not readable by B"
;; play = "other-session"
;; expected = "survived"
(func $attack (type $handle)
  (local $at i32) (local $end i32)
  (local.set $at (i32.shl (memory.grow (i32.const 100)) (i32.const 16)))
  (local.set $end (i32.add (local.get $at) (i32.const 6553600)))
  (if (i32.eq (call $turn) (i32.const 1))
    (then
      (memory.fill (local.get $at) (i32.const 83) (i32.const 6553600))
      (return (i32.const 0))))
  (loop $next
    (if (i64.ne (i64.load (local.get $at)) (i64.const 0))
      (then (return (call $refuse))))
    (local.set $at (i32.add (local.get $at) (i32.const 64)))
    (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
  (i32.const 0))
