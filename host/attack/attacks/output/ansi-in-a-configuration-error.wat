;; what = "Finds fault with its configuration, in a text that clears the screen."
;; covers = "ANSI and newline injection"
;; cause = ["guest-error"]
(data (i32.const 4096) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  ;; An error of the hook's own: a text.
  (i32.store8 (i32.const 2048) (i32.const 1))
  (i32.store8 (i32.const 2052) (i32.const 0))
  (i32.store (i32.const 2056) (i32.const 4096))
  (i32.store (i32.const 2060) (i32.const 34))
  (i32.const 2048))
