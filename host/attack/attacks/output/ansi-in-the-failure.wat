;; what = "Reports a failure whose text clears the screen."
;; covers = "ANSI and newline injection"
;; imports = ["failure/fail"]
;; cause = ["guest-error"]
(data (i32.const 4096) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  ;; An error of the hook's own: a text.
  (i32.store8 (i32.const 2048) (i32.const 1))
  (call $fail (i32.const 4096) (i32.const 34))
  (i32.const 1))
