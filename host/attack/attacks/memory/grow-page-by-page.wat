;; what = "Grows its memory a page at a time, and touches each."
;; covers = "many memories each under the cap"
;; cause = ["memory"]
(func $attack (type $handle)
  (local $at i32)
  (loop $again
    (local.set $at (i32.shl (memory.grow (i32.const 1)) (i32.const 16)))
    (i32.store (local.get $at) (i32.const 1))
    (br $again))
  unreachable)
