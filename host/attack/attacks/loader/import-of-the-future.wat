;; what = "Imports an interface of a version that is yet to come."
;; covers = "WIT version skew"
;; raw = true
;; expected = "load-refused"
;; cause = ["other-version"]
(component (import "portcullis:hooks/state@9.0.0" (instance)))
