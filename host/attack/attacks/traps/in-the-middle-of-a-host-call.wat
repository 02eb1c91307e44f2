;; what = "Traps when the host asks it for memory for what it wanted to read."
;; covers = "during a host call"
;; imports = ["content"]
;; realloc = '(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)'
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile.grants]
;; views = ["content"]
;; '''
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 9000))
(func $attack (type $handle)
  (call $content-text (i32.const 2048))
  (i32.const 256))
