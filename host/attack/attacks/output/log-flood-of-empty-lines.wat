;; what = "Logs as many empty lines as it may call the host."
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
  ;; One host call is already used, for the turn.
  (loop $again
    (call $log (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 99999))))
  (i32.const 0))
