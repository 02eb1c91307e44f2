;; what = "Grows a table by more elements than it has fuel."
;; covers = "table growth"
;; cause = ["memory", "fuel"]
(table $t 0 funcref)
(func $attack (type $handle)
  (drop (table.grow $t (ref.null func) (i32.const -2)))
  (i32.const 0))
