;; what = "Calls an element that its table does not have."
;; covers = "on the Nth call"
;; cause = ["trap"]
(type $f (func (result i32)))
(table 1 funcref)
(func $attack (type $handle)
  (call_indirect (type $f) (i32.const -1)))
