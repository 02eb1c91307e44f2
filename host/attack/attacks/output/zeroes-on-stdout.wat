;; what = "Writes nothing but zeroes to its output, as many as a number can say."
;; covers = "forged JSON-RPC on stdout"
;; imports = ["stdio"]
;; cause = ["bad-output", "trap", "memory"]
(func $attack (type $handle)
  (call $write-zeroes (call $get-stdout) (i64.const -1) (i32.const 2048))
  (i32.const 0))
