;; what = "Reads its own state forever, a mebibyte each time."
;; covers = "millions of cheap host calls"
;; imports = ["state"]
;; cause = ["deadline", "bad-output", "overload"]
;; pages = 32
;; settings = '''
;; [hooks.hostile.grants]
;; state = true
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(data (i32.const 2048) "big")
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 65536))
(func $attack (type $handle)
  (call $state-set (i32.const 2048) (i32.const 3) (i32.const 65536) (i32.const 1000000) (i32.const 4096))
  (loop $again
    (call $state-get (i32.const 2048) (i32.const 3) (i32.const 4096))
    (br $again))
  unreachable)
