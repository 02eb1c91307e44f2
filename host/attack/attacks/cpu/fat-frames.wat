;; what = "Calls itself with a thousand values on the stack each time."
;; covers = "deep recursion"
;; cause = ["trap"]
;; ceiling-ms = 800
(func $fat (param i32) (result i32)
  ;;! repeat 1000
  (local $v{n} i64)
  ;;! end
  ;;! repeat 1000
  (local.set $v{n} (i64.load (i32.const {n})))
  ;;! end
  (local.set 0 (call $fat (local.get 0)))
  ;;! repeat 1000
  (local.set 0 (i32.add (local.get 0) (i32.wrap_i64 (local.get $v{n}))))
  ;;! end
  (local.get 0))
(func $attack (type $handle)
  (call $fat (i32.const 1)))
