;; what = "May do no more than observe, and refuses."
;; covers = "disabling an observer never changes a verdict"
;; settings = '''
;; [hooks.hostile]
;; role = "observe"
;; '''
;; expected = "survived"
;; cause = ["bad-output"]
(data (i32.const 4096) "no")
(data (i32.const 5120) "because")
(func $attack (type $handle)
  (call $reject (i32.const 4096) (i32.const 2) (i32.const 5120) (i32.const 7)
    (i32.const 0) (i32.const 0) (i32.const 0))
  (i32.const 1))
