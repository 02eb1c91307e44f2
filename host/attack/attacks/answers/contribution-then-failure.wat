;; what = "Adds a note, and reports a failure: it failed, and nothing was contributed."
;; covers = "an answer at the wrong time or place"
;; point = "post-turn"
;; answers = ["reject", "add-note"]
;; imports = ["failure/fail"]
;; cause = ["guest-error"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (call $fail (i32.const 4096) (i32.const 4))
  (i32.const 1))
