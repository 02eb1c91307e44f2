;; what = "Calls an element of a table that holds nothing."
;; covers = "on the Nth call"
;; cause = ["trap"]
(type $f (func (result i32)))
(table 1 funcref)
(func $attack (type $handle)
  (call_indirect (type $f) (i32.const 0)))
