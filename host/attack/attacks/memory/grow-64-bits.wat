;; what = "Grows a memory of 64-bit addresses to a tebibyte."
;; covers = "many memories each under the cap"
;; cause = ["memory"]
(memory $wide i64 1)
(func $attack (type $handle)
  (drop (memory.grow $wide (i64.const 16777216)))
  (i32.const 0))
