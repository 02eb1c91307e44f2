;; what = "Reports a failure of C1 controls, separators of lines, zero-width characters and tags."
;; covers = "ANSI and newline injection"
;; imports = ["failure/fail"]
;; cause = ["guest-error"]
(data (i32.const 4096) "\e2\80\8b\e2\80\a8\d8\9c\ef\bb\bf\c2\ad\f3\a0\81\81\c2\85\c2\9b")
(func $attack (type $handle)
  (i32.store8 (i32.const 2048) (i32.const 1))
  (call $fail (i32.const 4096) (i32.const 21))
  (i32.const 1))
