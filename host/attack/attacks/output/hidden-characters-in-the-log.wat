;; what = "Logs C1 controls, separators of lines, marks of direction, zero-width characters and tags."
;; covers = "ANSI and newline injection"
;; imports = ["logging"]
;; expected = "survived"
(data (i32.const 4096) "\e2\80\8b\e2\80\a8\d8\9c\ef\bb\bf\c2\ad\f3\a0\81\81\c2\85\c2\9b")
(func $attack (type $handle)
  ;; U+200B, U+2028, U+061C, U+FEFF, U+00AD, U+E0041, U+0085, U+009B.
  (call $log (i32.const 2) (i32.const 4096) (i32.const 21) (i32.const 4096) (i32.const 21))
  (i32.const 0))
