;; what = "Reads all facts forever, where fuel is not counted."
;; covers = "millions of cheap host calls"
;; point = "pre-tool-call"
;; imports = ["pre-tool-call-facts/facts"]
;; cause = ["host-calls", "deadline", "overload"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $cabi_realloc (param i32 i32 i32 i32) (result i32) (i32.const 4096))
(func $attack (type $handle)
  (loop $again (call $facts (i32.const 2048)) (br $again))
  unreachable)
