;; what = "Serves a point of a version that is yet to come."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["other-version"]
(component (instance $i) (export "portcullis:hooks/pre-turn@0.3.0" (instance $i)))
