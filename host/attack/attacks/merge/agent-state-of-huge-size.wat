;; what = "Puts two megabytes at a key of the agent's state, and refuses if that is accepted."
;; covers = "a hook fills the agent's state no further than its limits"
;; imports = ["agent-state-edit"]
;; expected = "survived"
;; pages = 40
;; settings = '''
;; [hooks.hostile.grants]
;; agent-state-edit = ["key"]
;; '''
(data (i32.const 3072) "key")
(func $attack (type $handle)
  ;; A JSON string of 'a'.
  (memory.fill (i32.const 65536) (i32.const 97) (i32.const 2000000))
  (i32.store8 (i32.const 65536) (i32.const 34))
  (i32.store8 (i32.const 2065535) (i32.const 34))
  (call $state-edit
    (i32.const 3072) (i32.const 3) (i32.const 65536) (i32.const 2000000) (i32.const 4096))
  (if (i32.eqz (i32.load8_u (i32.const 4096)))
    (then (return (call $refuse))))
  (i32.const 0))
