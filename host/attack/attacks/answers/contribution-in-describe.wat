;; what = "Contributes while it describes itself."
;; covers = "an answer at the wrong time or place"
;; point = "prompt-policy"
;; answers = ["add-note"]
;; expected = "load-refused"
;; cause = ["describe"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func (export "describe") (result i32)
  (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (i32.const 1024))
(func $attack (type $handle)
  unreachable)
