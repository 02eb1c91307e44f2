;; what = "Is given no memory at all."
;; covers = "zero"
;; settings = '''
;; [hooks.hostile.limits]
;; memory-bytes = 0
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
