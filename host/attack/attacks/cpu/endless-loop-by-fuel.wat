;; what = "Computes forever where fuel is what ends it."
;; covers = "endless loop in the call"
;; cause = ["fuel"]
;; ceiling-ms = 10_000
;; settings = '''
;; [hooks.hostile.limits]
;; deadline-ms = 60_000
;; wall-ms = 60_000
;; '''
(func $attack (type $handle)
  (loop $again (br $again))
  unreachable)
