;; what = "Reads a namespace that was granted to somebody else."
;; covers = "a secret left in memory by session A is not readable by B"
;; imports = ["shared-state"]
;; expected = "survived"
;; settings = '''
;; [hooks.hostile.grants]
;; shared-state = ["its-own"]
;; '''
(data (i32.const 3072) "neighbour")
(data (i32.const 3088) "secret")
(func $attack (type $handle)
  (call $shared-get
    (i32.const 3072) (i32.const 9) (i32.const 3088) (i32.const 6) (i32.const 4096))
  ;; If the access succeeds, the hook refuses.
  (if (i32.eqz (i32.load8_u (i32.const 4096)))
    (then (return (call $refuse))))
  (i32.const 0))
