;; what = "Grows a table to four billion elements."
;; covers = "table growth"
;; cause = ["tables"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(table $t 0 funcref)
(func $attack (type $handle)
  (drop (table.grow $t (ref.null func) (i32.const -2)))
  (i32.const 0))
