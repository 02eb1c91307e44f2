;; what = "Serves a point that there is none of."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["unknown-export"]
(component (instance $i) (export "portcullis:hooks/pre-lunch@0.2.0" (instance $i)))
