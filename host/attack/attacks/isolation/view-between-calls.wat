;; what = "Looks at what was said while it describes itself, when there is nothing to see."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["content"]
;; expected = "survived"
;; settings = '''
;; [hooks.hostile.grants]
;; views = ["content"]
;; '''
(func (export "describe") (result i32)
  (call $content-text (i32.const 4096))
  ;; If there is any content, the hook traps.
  (if (i32.load (i32.const 4100)) (then unreachable))
  (i32.const 1024))
(func $attack (type $handle)
  (i32.const 0))
