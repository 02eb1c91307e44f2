;; what = "Asks for the time forever where fuel is not counted."
;; covers = "millions of cheap host calls"
;; imports = ["now"]
;; cause = ["host-calls", "deadline", "overload"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $attack (type $handle)
  (loop $again (drop (call $now)) (br $again))
  unreachable)
