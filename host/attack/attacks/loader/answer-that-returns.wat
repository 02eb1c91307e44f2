;; what = "Imports an answer as a function that returns something."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["link", "signature"]
(component
  (import "portcullis:hooks/pre-turn-answer@0.2.0" (instance
    (export "reject" (func
      (param "code" string) (param "reason" string) (param "details" (option string))
      (result u32)))))
  (core module $m (memory (export "m") 1)
    (func (export "d") (result i32) i32.const 0))
  (core instance $i (instantiate $m))
  (func $f (result string) (canon lift (core func $i "d") (memory (core memory $i "m"))))
  (instance $describe (export "describe" (func $f)))
  (export "portcullis:hooks/describe@0.2.0" (instance $describe))
  (func $h (result bool) (canon lift (core func $i "d")))
  (instance $point (export "handle" (func $h)))
  (export "portcullis:hooks/pre-turn@0.2.0" (instance $point)))
