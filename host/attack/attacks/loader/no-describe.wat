;; what = "Serves a point and does not describe itself."
;; covers = "unknown import"
;; raw = true
;; expected = "load-refused"
;; cause = ["no-describe"]
(component
  (core module $m (memory (export "m") 1)
    (func (export "d") (result i32) i32.const 0))
  (core instance $i (instantiate $m))
  (func $f (result string) (canon lift (core func $i "d") (memory (core memory $i "m"))))
  (instance $point (export "handle" (func $f)))
  (export "portcullis:hooks/pre-turn@0.2.0" (instance $point)))
