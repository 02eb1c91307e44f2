;; what = "Reports a failure with the words of one who has used up their fuel."
;; covers = "an error text that says fuel"
;; imports = ["failure/fail"]
;; cause = ["guest-error"]
(data (i32.const 4096) "it used up its fuel of 50000000 (all fuel consumed by WebAssembly)")
(func $attack (type $handle)
  ;; An error of the hook's own: a text.
  (i32.store8 (i32.const 2048) (i32.const 1))
  (call $fail (i32.const 4096) (i32.const 65))
  (i32.const 1))
