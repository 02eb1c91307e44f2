;; what = "Starts well while it is loaded, and refuses when it is started for a call."
;; covers = "an answer at the wrong time or place"
;; imports = ["config"]
;; healthy = false
;; cause = ["bad-output", "instantiate", "trap"]
;; settings = '''
;; [hooks.hostile.config]
;; mode = "hostile"
;; '''
(data (i32.const 2048) "mode")
;; The configuration is empty until the hook is loaded.
(func $begin
  (call $config-get (i32.const 2048) (i32.const 4) (i32.const 2064))
  (if (i32.load8_u (i32.const 2068)) (then (drop (call $refuse)))))
(start $begin)
(func $attack (type $handle)
  (i32.const 1))
