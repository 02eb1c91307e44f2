;; what = "Refuses a million times in one call."
;; covers = "more than one answer in a call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (drop (call $refuse))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 1000000))))
  (i32.const 1))
