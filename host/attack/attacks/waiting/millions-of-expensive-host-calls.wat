;; what = "Draws as many random bytes as it may, forever, where fuel is not counted."
;; covers = "millions of cheap host calls"
;; imports = ["random"]
;; cause = ["deadline", "memory", "bad-output", "overload"]
;; pages = 8
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 65536))
(func $attack (type $handle)
  (loop $again
    (call $random (i64.const 65536) (i32.const 2048))
    (br $again))
  unreachable)
