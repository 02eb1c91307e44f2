;; what = "Adds notes forever."
;; covers = "contributions without end"
;; point = "prompt-policy"
;; answers = ["add-policy", "add-note"]
;; cause = ["contributions"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy", "note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (loop $again
    (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
    (br $again))
  unreachable)
