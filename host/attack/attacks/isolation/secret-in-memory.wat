;; what = "Leaves a secret in its memory, and looks for it in another session."
;; covers = "a secret left in memory by session A is not readable by B"
;; play = "other-session"
;; expected = "survived"
(func $attack (type $handle)
  (if (i32.eq (call $turn) (i32.const 3))
    (then
      ;; If the secret is found, the hook refuses.
      (if (i32.eq (i32.load (i32.const 70000)) (i32.const 0x5ec2e7))
        (then (return (call $refuse))))
      (return (i32.const 0))))
  (i32.store (i32.const 70000) (i32.const 0x5ec2e7))
  (i32.const 0))
