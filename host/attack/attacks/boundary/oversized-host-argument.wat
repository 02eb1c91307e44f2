;; what = "Hands eight mebibytes to the host, which it has."
;; covers = "oversized result"
;; imports = ["state"]
;; pages = 140
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; state = true
;; '''
(func $attack (type $handle)
  (call $state-set (i32.const 2048) (i32.const 3) (i32.const 65536) (i32.const 8388608) (i32.const 4096))
  (i32.const 0))
