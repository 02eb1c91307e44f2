;; what = "Closes a handle twice."
;; covers = "handle leaks"
;; imports = ["sleep"]
;; cause = ["bad-output", "trap"]
(func $attack (type $handle)
  (local $h i32)
  (local.set $h (call $subscribe (i64.const 1)))
  (call $drop (local.get $h))
  (call $drop (local.get $h))
  (i32.const 0))
