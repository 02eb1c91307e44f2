;; what = "Logs one line of three mebibytes of control characters."
;; covers = "log flood"
;; imports = ["logging"]
;; pages = 64
;; expected = "survived"
(func $attack (type $handle)
  (memory.fill (i32.const 65536) (i32.const 27) (i32.const 3145728))
  (call $log (i32.const 2) (i32.const 65536) (i32.const 3145728) (i32.const 0) (i32.const 0))
  (i32.const 0))
