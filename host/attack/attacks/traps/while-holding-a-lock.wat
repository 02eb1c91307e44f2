;; what = "Takes a lock in its memory, and traps before it gives it back. Its next call waits for the lock."
;; covers = "while holding a guest lock"
;; cause = ["trap"]
(func $take
  (loop $wait (br_if $wait (i32.load (i32.const 8192))))
  (i32.store (i32.const 8192) (i32.const 1)))
(func (export "handle") (type $handle)
  (call $take)
  (if (i32.and (call $turn) (i32.const 1)) (then unreachable))
  (i32.store (i32.const 8192) (i32.const 0))
  (i32.const 0))
