;; what = "Is given one of everything, which is not enough to start."
;; covers = "zero"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = 1
;; memory-bytes = 1
;; table-elements = 1
;; instances = 1
;; handles = 1
;; output-bytes = 1
;; log-bytes = 1
;; '''
;; cause = ["instances"]
;; healthy = false
(func $attack (type $handle)
  (i32.const 0))
