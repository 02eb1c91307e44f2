;; what = "Fills all the memory it may have, again and again."
;; covers = "huge memory.copy"
;; cause = ["fuel", "deadline"]
;; pages = 900
;; ceiling-ms = 800
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $attack (type $handle)
  (loop $again
    (memory.fill (i32.const 65536) (i32.const 1) (i32.const 55000000))
    (br $again))
  unreachable)
