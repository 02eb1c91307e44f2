;; what = "Imports something whose name clears the screen."
;; covers = "ANSI and newline injection"
;; raw = true
;; expected = "load-refused"
;; cause = ["invalid", "unknown-import"]
(component (import "evil:\1b[2Jevil/evil@0.1.0" (instance)))
