;; what = "Adds as many notes as it may, each of three mebibytes."
;; covers = "contributions without end"
;; point = "prompt-policy"
;; answers = ["add-policy", "add-note"]
;; pages = 64
;; cause = ["bad-output", "contributions"]
;; memory-bytes = 67_108_864
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy", "note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (local $n i32)
  (memory.fill (i32.const 65536) (i32.const 120) (i32.const 3145728))
  (loop $again
    (call $add-note (i32.const 65536) (i32.const 3145728) (i32.const 4112) (i32.const 2))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 256))))
  (i32.const 1))
