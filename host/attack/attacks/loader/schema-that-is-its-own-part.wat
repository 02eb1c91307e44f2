;; what = "Gives a schema of its configuration that refers back to itself."
;; covers = "hostile schemas"
;; expected = "load-refused"
;; cause = ["config-schema"]
(data (i32.const 2048) "\08\08\00\00")
(data (i32.const 2052) "\25\00\00\00")
(data (i32.const 2056) "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}")
(func (export "schema") (result i32)
  (i32.const 2048))
(func $attack (type $handle)
  (i32.const 0))
