;; what = "Leaves a secret in its state, and looks for it in another session."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["state"]
;; play = "other-session"
;; expected = "survived"
;; settings = '''
;; [hooks.hostile.grants]
;; state = true
;; '''
(data (i32.const 3072) "secret")
(func $attack (type $handle)
  (if (i32.eq (call $turn) (i32.const 3))
    (then
      (call $state-get (i32.const 3072) (i32.const 6) (i32.const 4096))
      (if (i32.load8_u (i32.const 4096))
        (then (return (call $refuse))))
      (return (i32.const 0))))
  (call $state-set (i32.const 3072) (i32.const 6) (i32.const 3072) (i32.const 6) (i32.const 4096))
  (i32.const 0))
