;; what = "Has everything that the host hands to it written to one and the same place."
;; covers = "bad pointer"
;; expected = "survived"
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
(func $attack (type $handle)
  (i32.const 256))
