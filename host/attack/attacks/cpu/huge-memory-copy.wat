;; what = "Copies all the memory it may have, again and again."
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
    (memory.copy (i32.const 65536) (i32.const 131072) (i32.const 50000000))
    (br $again))
  unreachable)
