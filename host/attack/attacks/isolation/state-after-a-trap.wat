;; what = "Writes to its state and traps, and looks for it in its next call."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["state"]
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile.grants]
;; state = true
;; '''
(data (i32.const 3072) "secret")
(func (export "handle") (type $handle)
  (call $state-get (i32.const 3072) (i32.const 6) (i32.const 4096))
  (if (i32.load8_u (i32.const 4096))
    (then (return (call $refuse))))
  (if (i32.and (call $turn) (i32.const 1))
    (then
      (call $state-set
        (i32.const 3072) (i32.const 6) (i32.const 3072) (i32.const 6) (i32.const 4096))
      unreachable))
  (i32.const 0))
