;; what = "Is given more time than a clock has."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; deadline-ms = 9223372036854775807
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
