;; what = "Changes one key of the agent's state after another, without end."
;; covers = "a hook fills the agent's state no further than its limits"
;; imports = ["agent-state-edit"]
;; cause = ["fuel", "deadline", "overload", "host-calls"]
;; memory-bytes = 67_108_864
;; settings = '''
;; [hooks.hostile.grants]
;; agent-state-edit = ["*"]
;; '''
(func $attack (type $handle)
  (local $n i32)
  (i32.store8 (i32.const 3090) (i32.const 49))
  (loop $again
    ;; Eight printable bytes for each number.
    (i64.store (i32.const 2048)
      (i64.or (i64.const 0x4040404040404040)
        (i64.or (i64.extend_i32_u (i32.and (local.get $n) (i32.const 15)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i32.and (i32.shr_u (local.get $n) (i32.const 4)) (i32.const 15))) (i64.const 8))
            (i64.or
              (i64.shl (i64.extend_i32_u (i32.and (i32.shr_u (local.get $n) (i32.const 8)) (i32.const 15))) (i64.const 16))
              (i64.shl (i64.extend_i32_u (i32.and (i32.shr_u (local.get $n) (i32.const 12)) (i32.const 15))) (i64.const 24)))))))
    (call $state-edit
      (i32.const 2048) (i32.const 8) (i32.const 3090) (i32.const 1) (i32.const 4096))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br $again))
  unreachable)
