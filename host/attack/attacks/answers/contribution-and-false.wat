;; what = "Adds a note, and returns that it gave no answer."
;; covers = "more than one answer in a call"
;; point = "prompt-policy"
;; answers = ["add-policy", "add-note"]
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy", "note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (i32.const 0))
