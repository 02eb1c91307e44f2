;; what = "Is given less time than the clock of deadlines can tell, and computes forever."
;; covers = "a deadline below one tick"
;; settings = '''
;; [engine]
;; tick-ms = 50
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 1
;; '''
;; cause = ["deadline"]
;; ceiling-ms = 600
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
