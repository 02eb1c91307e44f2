;; what = "Writes a megabyte under each key it can think of."
;; covers = "allocation bomb at start"
;; imports = ["state"]
;; expected = "survived"
;; pages = 16
;; memory-bytes = 67_108_864
;; settings = '''
;; [hooks.hostile.grants]
;; state = true
;; [hooks.hostile.limits]
;; deadline-ms = 900
;; '''
;; ceiling-ms = 900
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (i32.store (i32.const 2048) (i32.or (i32.const 0x20202020) (local.get $n)))
    (call $state-set (i32.const 2048) (i32.const 4) (i32.const 65536) (i32.const 500000) (i32.const 4096))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 15))))
  (i32.const 0))
