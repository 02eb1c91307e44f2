;; what = "Is given all that can be said, and answers."
;; covers = "overflowing budgets"
;; settings = '''
;; [hooks.hostile.limits]
;; fuel = 9_223_372_036_854_775_807
;; deadline-ms = 86_400_000
;; wall-ms = 86_400_000
;; memory-bytes = 4_294_967_296
;; table-elements = 4_294_967_296
;; instances = 4_294_967_296
;; handles = 4_294_967_296
;; output-bytes = 4_294_967_296
;; log-bytes = 4_294_967_296
;; '''
;; expected = "survived"
(func $attack (type $handle)
  (i32.const 0))
