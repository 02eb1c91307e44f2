;; what = "Leaves a secret in a global, and looks for it in another session."
;; covers = "a secret left in memory by session A is not readable by B"
;; play = "other-session"
;; expected = "survived"
(global $secret (mut i32) (i32.const 0))
(func $attack (type $handle)
  (if (i32.eq (call $turn) (i32.const 3))
    (then
      (if (global.get $secret)
        (then (return (call $refuse))))
      (return (i32.const 0))))
  (global.set $secret (i32.const 1))
  (i32.const 0))
