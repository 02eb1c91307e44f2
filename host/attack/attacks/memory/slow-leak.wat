;; what = "Keeps eight megabytes of each call."
;; covers = "allocation bomb at start"
;; cause = ["memory"]
;; play = "until-it-fails"
(func $attack (type $handle)
  (drop (memory.grow (i32.const 128)))
  (i32.const 0))
