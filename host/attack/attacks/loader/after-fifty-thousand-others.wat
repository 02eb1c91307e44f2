;; what = "Wants to run after fifty thousand hooks that are not there."
;; covers = "duplicate ids"
;; pages = 16
;; expected = "load-refused"
;; cause = ["describe"]
(data (i32.const 8192) "nobody")
(func (export "describe") (result i32)
  (local $n i32)
  (loop $next
    (i32.store
      (i32.add (i32.const 65536) (i32.shl (local.get $n) (i32.const 3))) (i32.const 8192))
    (i32.store
      (i32.add (i32.const 65540) (i32.shl (local.get $n) (i32.const 3))) (i32.const 6))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 50000))))
  (i32.store (i32.const 1088) (i32.const 65536))
  (i32.store (i32.const 1092) (i32.const 50000))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
