;; what = "Logs a text that lies outside of its memory."
;; covers = "bad pointer"
;; imports = ["logging"]
;; cause = ["bad-output", "trap"]
(func $attack (type $handle)
  (call $log (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 0x7ffffff0) (i32.const 64))
  (i32.const 0))
