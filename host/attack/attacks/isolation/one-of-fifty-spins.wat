;; what = "Computes forever while fifty sessions work."
;; covers = "50 hooks with one spinning and no false timeouts"
;; cause = ["deadline"]
;; play = "crowd"
;; ceiling-ms = 2_000
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 300
;; '''
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
