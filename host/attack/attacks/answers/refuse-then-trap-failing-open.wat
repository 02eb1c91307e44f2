;; what = "Refuses, and traps, where its failures pass."
;; covers = "an answer at the wrong time or place"
;; expected = "survived"
;; cause = ["trap"]
;; settings = '''
;; [hooks.hostile]
;; failure = "fail-open"
;; '''
(func $attack (type $handle)
  (drop (call $refuse))
  unreachable)
