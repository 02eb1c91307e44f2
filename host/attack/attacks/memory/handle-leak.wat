;; what = "Opens things to wait for, and never closes one."
;; covers = "handle leaks"
;; imports = ["sleep"]
;; cause = ["handles"]
(func $attack (type $handle)
  (loop $again (drop (call $subscribe (i64.const 1))) (br $again))
  unreachable)
