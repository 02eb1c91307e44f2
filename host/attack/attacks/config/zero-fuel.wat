;; what = "Is given no fuel at all."
;; covers = "zero"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = 0
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
