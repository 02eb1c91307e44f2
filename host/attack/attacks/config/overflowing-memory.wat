;; what = "Is given more memory than a number can say."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; memory-bytes = 9223372036854775807
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
