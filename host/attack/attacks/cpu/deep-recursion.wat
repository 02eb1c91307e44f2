;; what = "Calls itself until there is no stack."
;; covers = "deep recursion"
;; cause = ["trap"]
(func $deeper (param i32) (result i32)
  (i32.add (local.get 0) (call $deeper (i32.add (local.get 0) (i32.const 1)))))
(func $attack (type $handle)
  (call $deeper (i32.const 1)))
