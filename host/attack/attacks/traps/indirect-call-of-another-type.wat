;; what = "Calls a function through a table as if it had another type."
;; covers = "on the Nth call"
;; cause = ["trap"]
(type $f (func (param i64) (result i32)))
(table 1 funcref)
(elem (i32.const 0) $g)
(func $g)
(func $attack (type $handle)
  (call_indirect (type $f) (i64.const 1) (i32.const 0)))
