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
  (if (i32.eq (local.get 4) (i32.const 3))
    (then
      (call $state-get (i32.const 3072) (i32.const 6) (i32.const 4096))
      (if (i32.load8_u (i32.const 4096))
        (then (i32.store8 (i32.const 2052) (i32.const 2)) (return (i32.const 2048))))
      (return (i32.const 256))))
  (call $state-set (i32.const 3072) (i32.const 6) (i32.const 3072) (i32.const 6) (i32.const 4096))
  (i32.const 256))
