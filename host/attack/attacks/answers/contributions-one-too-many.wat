;; what = "Adds one note more than it may in a call."
;; covers = "contributions without end"
;; point = "prompt-policy"
;; answers = ["add-policy", "add-note"]
;; cause = ["contributions"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["policy", "note"]
;; '''
(data (i32.const 4096) "code")
(data (i32.const 4112) "{}")
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (call $add-note (i32.const 4096) (i32.const 4) (i32.const 4112) (i32.const 2))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 257))))
  (i32.const 1))
