;; what = "Answers with a list whose twenty thousand elements are one text of sixty kilobytes."
;; covers = "a list whose elements alias one buffer"
;; answers = ["transform"]
;; pages = 16
;; cause = ["bad-output"]
(func $attack (type $handle)
  (local $n i32)
  (memory.fill (i32.const 65536) (i32.const 120) (i32.const 60000))
  (loop $next
    (i32.store
      (i32.add (i32.const 262148) (i32.mul (local.get $n) (i32.const 32)))
      (i32.const 65536))
    (i32.store
      (i32.add (i32.const 262152) (i32.mul (local.get $n) (i32.const 32)))
      (i32.const 60000))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 20000))))
  (call $transform (i32.const 262144) (i32.const 20000))
  (i32.const 1))
