;; what = "Never finishes giving the schema of its configuration."
;; covers = "hostile schemas"
;; expected = "load-refused"
;; cause = ["describe"]
(func (export "schema") (result i32)
  (loop $forever (br $forever))
  (i32.const 0))
(func $attack (type $handle)
  (i32.const 0))
