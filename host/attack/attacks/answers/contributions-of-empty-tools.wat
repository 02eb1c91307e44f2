;; what = "Offers as many bundles as it may, each of forty thousand tools without any text."
;; covers = "contributions without end"
;; point = "prompt-tools"
;; answers = ["add-tools"]
;; pages = 32
;; cause = ["bad-output", "contributions"]
;; memory-bytes = 67_108_864
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["tools"]
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 20_000
;; wall-ms = 20_000
;; '''
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (call $add-tools (i32.const 0) (i32.const 0) (i32.const 65536) (i32.const 40000))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 256))))
  (i32.const 1))
