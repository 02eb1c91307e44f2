;; what = "Opens its output forever, and never closes it."
;; covers = "handle leaks"
;; imports = ["stdio"]
;; cause = ["handles"]
(func $attack (type $handle)
  (loop $again (drop (call $get-stdout)) (br $again))
  unreachable)
