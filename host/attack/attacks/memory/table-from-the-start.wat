;; what = "Begins with a table of a hundred million elements."
;; covers = "table growth"
;; expected = "load-refused"
;; cause = ["describe", "invalid"]
(table 100000000 funcref)
(func $attack (type $handle)
  unreachable)
