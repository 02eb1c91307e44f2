;; what = "Was granted notes, and imports rules too."
;; covers = "an answer that is not allowed changes nothing"
;; point = "prompt-policy"
;; answers = ["add-note", "add-policy"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["note"]
;; '''
;; expected = "load-refused"
;; cause = ["may-not-contribute"]
(data (i32.const 4096) "memory")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $add-policy (i32.const 4096) (i32.const 6) (i32.const 4112) (i32.const 2))
  (i32.const 1))
