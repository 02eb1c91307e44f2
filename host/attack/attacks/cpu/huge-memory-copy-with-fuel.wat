;; what = "Copies much with one instruction, where only fuel is short."
;; covers = "huge memory.copy"
;; cause = ["fuel", "deadline"]
;; pages = 900
;; ceiling-ms = 800
(func $attack (type $handle)
  (loop $again
    (memory.copy (i32.const 65536) (i32.const 131072) (i32.const 50000000))
    (br $again))
  unreachable)
