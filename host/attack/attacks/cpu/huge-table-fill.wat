;; what = "Fills a table, again and again."
;; covers = "huge memory.copy"
;; cause = ["fuel", "deadline"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
;; ceiling-ms = 600
(table $t 90000 funcref)
(func $attack (type $handle)
  (loop $again
    (table.fill $t (i32.const 0) (ref.null func) (i32.const 90000))
    (br $again))
  unreachable)
