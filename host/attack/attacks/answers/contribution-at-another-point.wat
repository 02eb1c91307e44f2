;; what = "Adds a policy when a turn begins."
;; covers = "an answer at the wrong time or place"
;; imports = ["prompt-policy-answer/add-policy"]
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $prompt-policy-answer/add-policy (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  (i32.const 1))
