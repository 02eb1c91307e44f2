;; what = "Waits for somebody to type."
;; covers = "a poll that is never ready"
;; imports = ["stdio"]
;; expected = "survived"
(func $attack (type $handle)
  (call $read (call $get-stdin) (i64.const 65536) (i32.const 2048))
  (i32.const 0))
