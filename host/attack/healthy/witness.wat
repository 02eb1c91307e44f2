;; what = "Looks on."
;; id = "witness"
;; role = "observe"
(func $attack (type $handle) (i32.const 256))
