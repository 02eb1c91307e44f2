;; what = "Imports what was said, which it may not see."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["content"]
;; expected = "load-refused"
;; cause = ["not-granted"]
;; settings = '''
;; [hooks.hostile.grants]
;; views = []
;; '''
(func $attack (type $handle)
  unreachable)
