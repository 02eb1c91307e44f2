;; what = "Leaves a secret in a global, and looks for it in another session."
;; covers = "a secret left in memory by session A is not readable by B"
;; play = "other-session"
;; expected = "survived"
(global $secret (mut i32) (i32.const 0))
(func $attack (type $handle)
  (if (i32.eq (local.get 4) (i32.const 3))
    (then
      (if (global.get $secret)
        (then (i32.store8 (i32.const 2052) (i32.const 2)) (return (i32.const 2048))))
      (return (i32.const 256))))
  (global.set $secret (i32.const 1))
  (i32.const 256))
