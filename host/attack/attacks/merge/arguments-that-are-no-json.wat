;; what = "Gives a tool arguments that are no JSON."
;; covers = "an answer that is not allowed changes nothing"
;; answers = ["transform"]
;; point = "pre-tool-call"
;; cause = ["bad-output"]
(data (i32.const 4096) "{\"path\": rm -rf}")
(func $attack (type $handle)
  (call $transform (i32.const 4096) (i32.const 16))
  (i32.const 1))
