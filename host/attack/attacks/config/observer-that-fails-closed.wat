;; what = "Is an observer that is to fail closed."
;; covers = "zero"
;; answers = []
;; settings = '''
;; [hooks.hostile]
;; failure = "fail-closed"
;; '''
;; expected = "load-refused"
;; cause = ["resolve"]
(func $attack (type $handle)
  (i32.const 0))
