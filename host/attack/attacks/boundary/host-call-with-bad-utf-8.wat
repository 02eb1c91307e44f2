;; what = "Logs what is no text."
;; covers = "bad UTF-8"
;; imports = ["logging"]
;; cause = ["bad-output", "trap"]
(func $attack (type $handle)
  (i32.store (i32.const 4096) (i32.const 0xfffefdfc))
  (call $log (i32.const 2) (i32.const 0) (i32.const 0) (i32.const 4096) (i32.const 4))
  (i32.const 0))
