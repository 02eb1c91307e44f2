;; what = "Refuses and returns minus one, which is true."
;; covers = "bad discriminant"
;; expected = "rejected"
(func $attack (type $handle)
  (drop (call $refuse))
  (i32.const -1))
