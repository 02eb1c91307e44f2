;; what = "Imports what was said, which it may not see."
;; covers = "an import that was not granted"
;; imports = ["content"]
;; expected = "load-refused"
;; cause = ["not-granted"]
;; settings = '''
;; [hooks.hostile.grants]
;; views = []
;; '''
(func $attack (type $handle)
  unreachable)
