;; what = "Asks forever what is left of its budget of the model."
;; covers = "millions of cheap host calls"
;; imports = ["model"]
;; cause = ["fuel", "deadline", "host-calls", "overload"]
;; settings = '''
;; [hooks.hostile.grants]
;; model = { tokens = 100 }
;; '''
(func $attack (type $handle)
  (loop $again
    (drop (call $model-left))
    (br $again))
  unreachable)
