;; what = "Traps when the host asks it for memory for what it wanted to read."
;; covers = "during a host call"
;; imports = ["content"]
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile.grants]
;; views = ["content"]
;; '''
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) unreachable)
(func $attack (type $handle)
  (call $content-text (i32.const 2048))
  (i32.const 0))
