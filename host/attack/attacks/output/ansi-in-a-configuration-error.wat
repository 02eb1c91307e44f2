;; what = "Finds fault with its configuration, in a text that clears the screen."
;; covers = "ANSI and newline injection"
;; imports = ["failure/bad-config"]
;; cause = ["guest-error"]
(data (i32.const 4096) "\1b[2J\1b[31m\0d\0aERROR all is lost\07\e2\80\aeevil")
(func $attack (type $handle)
  (call $bad-config (i32.const 4096) (i32.const 34))
  (i32.const 1))
