;; what = "Is given more fuel than a number can say."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = 99999999999999999999
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
