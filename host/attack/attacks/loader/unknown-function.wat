;; what = "Imports a function that a known interface does not have."
;; covers = "unknown import"
;; raw = true
;; expected = "load-refused"
;; cause = ["link"]
(component
  (import "wasi:logging/logging@0.1.0-draft" (instance
    (export "read-all-files" (func (result string)))))
  (core module $m (memory (export "m") 1)
    (func (export "d") (result i32) i32.const 0))
  (core instance $i (instantiate $m))
  (func $f (result string) (canon lift (core func $i "d") (memory (core memory $i "m"))))
  (instance $describe (export "describe" (func $f)))
  (export "portcullis:hooks/describe@0.2.0" (instance $describe))
  (instance $point (export "handle" (func $f)))
  (export "portcullis:hooks/pre-turn@0.2.0" (instance $point)))
