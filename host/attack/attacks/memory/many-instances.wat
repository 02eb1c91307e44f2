;; what = "Consists of two hundred instances."
;; covers = "many memories each under the cap"
;; raw = true
;; expected = "load-refused"
;; cause = ["describe", "no-point"]
(component
  (core module $m (memory 0) (table 0 funcref))
  ;;! repeat 200
  (core instance (instantiate $m))
  ;;! end
  (core module $d
    (memory (export "memory") 1)
    (func (export "handle") (result i32) i32.const 0)))
