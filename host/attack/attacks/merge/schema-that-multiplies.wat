;; what = "Offers a tool whose schema applies to one value a thousand million times, its references followed."
;; covers = "an answer that is not allowed changes nothing"
;; point = "prompt-tools"
;; answers = ["add-tools"]
;; cause = ["bad-output"]
;; settings = '''
;; [hooks.hostile.grants]
;; contribute = ["tools"]
;; '''
(data (i32.const 4096) "multiply")
(data (i32.const 8192) "{\22$defs\22:{\22d0\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d1\22},{\22$ref\22:\22#/$defs/d1\22}]},\22d1\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d2\22},{\22$ref\22:\22#/$defs/d2\22}]},\22d2\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d3\22},{\22$ref\22:\22#/$defs/d3\22}]},\22d3\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d4\22},{\22$ref\22:\22#/$defs/d4\22}]},\22d4\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d5\22},{\22$ref\22:\22#/$defs/d5\22}]},\22d5\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d6\22},{\22$ref\22:\22#/$defs/d6\22}]},\22d6\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d7\22},{\22$ref\22:\22#/$defs/d7\22}]},\22d7\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d8\22},{\22$ref\22:\22#/$defs/d8\22}]},\22d8\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d9\22},{\22$ref\22:\22#/$defs/d9\22}]},\22d9\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d10\22},{\22$ref\22:\22#/$defs/d10\22}]},\22d10\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d11\22},{\22$ref\22:\22#/$defs/d11\22}]},\22d11\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d12\22},{\22$ref\22:\22#/$defs/d12\22}]},\22d12\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d13\22},{\22$ref\22:\22#/$defs/d13\22}]},\22d13\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d14\22},{\22$ref\22:\22#/$defs/d14\22}]},\22d14\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d15\22},{\22$ref\22:\22#/$defs/d15\22}]},\22d15\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d16\22},{\22$ref\22:\22#/$defs/d16\22}]},\22d16\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d17\22},{\22$ref\22:\22#/$defs/d17\22}]},\22d17\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d18\22},{\22$ref\22:\22#/$defs/d18\22}]},\22d18\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d19\22},{\22$ref\22:\22#/$defs/d19\22}]},\22d19\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d20\22},{\22$ref\22:\22#/$defs/d20\22}]},\22d20\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d21\22},{\22$ref\22:\22#/$defs/d21\22}]},\22d21\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d22\22},{\22$ref\22:\22#/$defs/d22\22}]},\22d22\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d23\22},{\22$ref\22:\22#/$defs/d23\22}]},\22d23\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d24\22},{\22$ref\22:\22#/$defs/d24\22}]},\22d24\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d25\22},{\22$ref\22:\22#/$defs/d25\22}]},\22d25\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d26\22},{\22$ref\22:\22#/$defs/d26\22}]},\22d26\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d27\22},{\22$ref\22:\22#/$defs/d27\22}]},\22d27\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d28\22},{\22$ref\22:\22#/$defs/d28\22}]},\22d28\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d29\22},{\22$ref\22:\22#/$defs/d29\22}]},\22d29\22:{\22anyOf\22:[{\22$ref\22:\22#/$defs/d30\22},{\22$ref\22:\22#/$defs/d30\22}]},\22d30\22:{\22type\22:\22object\22}},\22$ref\22:\22#/$defs/d0\22}")
(func $attack (type $handle)
  ;; One tool: its name, which is its description too, its schema, and that the hook runs it.
  (i32.store (i32.const 3072) (i32.const 4096))
  (i32.store (i32.const 3076) (i32.const 8))
  (i32.store (i32.const 3080) (i32.const 4096))
  (i32.store (i32.const 3084) (i32.const 8))
  (i32.store (i32.const 3088) (i32.const 8192))
  (i32.store (i32.const 3092) (i32.const 1947))
  (i32.store (i32.const 3096) (i32.const 1))
  (call $add-tools (i32.const 4096) (i32.const 8) (i32.const 3072) (i32.const 1))
  (i32.const 1))
