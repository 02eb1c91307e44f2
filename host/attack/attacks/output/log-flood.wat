;; what = "Logs ten thousand lines."
;; covers = "log flood"
;; imports = ["logging"]
;; expected = "survived"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 2_000
;; '''
;; ceiling-ms = 1_500
(func $attack (type $handle)
  (local $n i32)
  (memory.fill (i32.const 4096) (i32.const 120) (i32.const 1000))
  (loop $again
    (call $log (i32.const 2) (i32.const 4096) (i32.const 4) (i32.const 4096) (i32.const 1000))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 10000))))
  (i32.const 0))
