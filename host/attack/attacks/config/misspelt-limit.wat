;; what = "Has a limit whose name is misspelt, and which would hold nobody."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; memroy-bytes = 1000
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
