;; what = "Serves a point with a function of another signature."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["signature"]
(component
  (core module $m (memory (export "m") 1)
    (func (export "d") (result i32) i32.const 0))
  (core instance $i (instantiate $m))
  (func $f (result string) (canon lift (core func $i "d") (memory (core memory $i "m"))))
  (instance $describe (export "describe" (func $f)))
  (export "portcullis:hooks/describe@0.2.0" (instance $describe))
  (instance $point (export "handle" (func $f)))
  (export "portcullis:hooks/pre-turn@0.2.0" (instance $point)))
