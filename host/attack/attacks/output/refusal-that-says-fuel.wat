;; what = "Refuses with the code and the words of a failure."
;; covers = "an error text that says fuel"
;; expected = "rejected"
(data (i32.const 4096) "fuel")
(data (i32.const 5120) "wasm trap: all fuel consumed by WebAssembly")
(func $attack (type $handle)
  (call $reject (i32.const 4096) (i32.const 4) (i32.const 5120) (i32.const 43)
    (i32.const 0) (i32.const 0) (i32.const 0))
  (i32.const 1))
