;; what = "Two functions call each other through a table until there is no stack."
;; covers = "deep recursion"
;; cause = ["trap"]
(type $f (func (param i32) (result i32)))
(table 2 funcref)
(elem (i32.const 0) $one $two)
(func $one (param i32) (result i32)
  (i32.add (local.get 0) (call_indirect (type $f) (local.get 0) (i32.const 1))))
(func $two (param i32) (result i32)
  (i32.add (local.get 0) (call_indirect (type $f) (local.get 0) (i32.const 0))))
(func $attack (type $handle)
  (call $one (i32.const 1)))
