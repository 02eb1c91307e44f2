;; what = "Is granted an answer whose name is misspelt, and which no hook can give."
;; covers = "an answer that is not allowed changes nothing"
;; expected = "load-refused"
;; cause = ["settings"]
;; settings = '''
;; [hooks.hostile.grants]
;; answers = ["rejekt"]
;; '''
(func $attack (type $handle)
  (i32.const 0))
