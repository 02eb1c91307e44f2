;; what = "Looks for what somebody else left in memory that it gets anew."
;; covers = "a secret left in memory by session A is not readable by B"
;; play = "other-session"
;; expected = "survived"
(func $attack (type $handle)
  (local $at i32) (local $end i32)
  (local.set $at (i32.shl (memory.grow (i32.const 100)) (i32.const 16)))
  (local.set $end (i32.add (local.get $at) (i32.const 6553600)))
  (if (i32.eq (local.get 4) (i32.const 1))
    (then
      (memory.fill (local.get $at) (i32.const 83) (i32.const 6553600))
      (return (i32.const 256))))
  (loop $next
    (if (i64.ne (i64.load (local.get $at)) (i64.const 0))
      (then (i32.store8 (i32.const 2052) (i32.const 2)) (return (i32.const 2048))))
    (local.set $at (i32.add (local.get $at) (i32.const 64)))
    (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
  (i32.const 256))
