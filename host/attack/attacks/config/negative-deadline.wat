;; what = "Is given less than no time."
;; covers = "negative"
;; settings = '''
;; [hooks.hostile.limits]
;; deadline-ms = -1
;; '''
;; expected = "load-refused"
;; cause = ["settings"]
(func $attack (type $handle)
  (i32.const 0))
