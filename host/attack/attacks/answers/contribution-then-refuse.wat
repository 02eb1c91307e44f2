;; what = "Adds a note, and refuses in the same call."
;; covers = "more than one answer in a call"
;; point = "post-turn"
;; answers = ["reject", "add-note"]
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (call $refuse))
