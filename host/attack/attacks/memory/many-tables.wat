;; what = "Grows ten tables, each of which is under the cap."
;; covers = "table growth"
;; cause = ["tables"]
;;! repeat 10
(table $t{n} 0 funcref)
;;! end
(func $attack (type $handle)
  ;;! repeat 10
  (drop (table.grow $t{n} (ref.null func) (i32.const 60000)))
  ;;! end
  (i32.const 0))
