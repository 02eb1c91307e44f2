;; what = "Observes."
;; id = "witness"
;; answers = []
(func $attack (type $handle) (i32.const 0))
