;; what = "Computes forever where fuel is not counted."
;; covers = "endless loop in the call"
;; cause = ["deadline"]
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = false
;; deadline-ms = 100
;; '''
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
