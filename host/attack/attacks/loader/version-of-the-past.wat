;; what = "Serves a point of a version that is no longer served."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["other-version"]
(component (instance $i) (export "portcullis:hooks/pre-turn@0.1.0" (instance $i)))
