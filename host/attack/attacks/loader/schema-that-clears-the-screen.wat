;; what = "Gives a schema of its configuration that requires a key, and allows one, which clear the screen."
;; covers = "hostile schemas"
;; expected = "load-refused"
;; cause = ["settings"]
;; settings = '''
;; [hooks.hostile.config]
;; word = 1
;; '''
(data (i32.const 2048) "\08\08\00\00")
(data (i32.const 2052) "\79\00\00\00")
(data (i32.const 2056) "{\22required\22:[\22\5cu001b[2J\5cr\5cnevil\e2\80\ae\22],\22additionalProperties\22:false,\22properties\22:{\22word\5cu001b[2J\22:{\22enum\22:[\22\5cu001b[31m\22]}}}")
(func (export "schema") (result i32)
  (i32.const 2048))
(func $attack (type $handle)
  (i32.const 0))
