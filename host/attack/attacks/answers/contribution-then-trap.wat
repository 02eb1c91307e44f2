;; what = "Adds a policy, and traps: nothing was contributed."
;; covers = "an answer at the wrong time or place"
;; point = "prompt-policy"
;; answers = ["add-policy"]
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (call $add-policy (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
  unreachable)
