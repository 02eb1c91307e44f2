;; what = "Gives a schema of its configuration that refers to a server."
;; covers = "hostile schemas"
;; expected = "load-refused"
;; cause = ["config-schema"]
(data (i32.const 2048) "\08\08\00\00")
(data (i32.const 2052) "\29\00\00\00")
(data (i32.const 2056) "{\"$ref\":\"http://127.0.0.1:1/schema.json\"}")
(func (export "schema") (result i32)
  (i32.const 2048))
(func $attack (type $handle)
  (i32.const 0))
