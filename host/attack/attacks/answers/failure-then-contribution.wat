;; what = "Reports a failure, and adds a note in the same call."
;; covers = "more than one answer in a call"
;; point = "post-turn"
;; answers = ["reject", "add-note"]
;; imports = ["failure/fail"]
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $fail (i32.const 4096) (i32.const 4))
  (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (i32.const 1))
