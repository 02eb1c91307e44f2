;; what = "Opens its output for ever, and never closes it."
;; covers = "handle leaks"
;; imports = ["stdio"]
;; cause = ["handles"]
(func $attack (type $handle)
  (loop $again (drop (call $get-stdout)) (br $again))
  unreachable)
