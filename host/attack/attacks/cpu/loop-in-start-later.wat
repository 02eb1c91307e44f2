;; what = "Starts well while it is loaded, and computes forever when it is started for a session."
;; covers = "endless loop in the start function"
;; imports = ["config"]
;; settings = '''
;; [hooks.hostile.config]
;; mode = "hostile"
;; '''
;; cause = ["fuel", "deadline"]
;; healthy = false
(data (i32.const 2048) "mode")
;; The configuration is empty until the hook is loaded.
(func $begin
  (call $config-get (i32.const 2048) (i32.const 4) (i32.const 2064))
  (if (i32.load8_u (i32.const 2068)) (then (loop $again (br $again)))))
(start $begin)
(func $attack (type $handle)
  unreachable)
