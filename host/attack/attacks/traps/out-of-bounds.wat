;; what = "Reads behind the end of its memory."
;; covers = "on the Nth call"
;; cause = ["trap"]
(func $attack (type $handle)
  (i32.load (i32.const -4)))
