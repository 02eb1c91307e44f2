;; what = "Is given fuel in words."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = "lots"
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
