;; what = "Grows its memory to all that 32 bits can say."
;; covers = "many memories each under the cap"
;; cause = ["memory"]
(func $attack (type $handle)
  (drop (memory.grow (i32.const 65000)))
  (i32.const 0))
