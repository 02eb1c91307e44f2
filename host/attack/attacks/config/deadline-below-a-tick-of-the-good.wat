;; what = "Is given less time than the clock of deadlines can tell, and is quick."
;; covers = "a deadline below one tick"
;; settings = '''
;; [engine]
;; tick-ms = 200
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 1
;; '''
;; expected = "survived"
(func $attack (type $handle)
  (i32.const 0))
