;; what = "Traps in a function whose name says that all fuel was consumed."
;; covers = "an error text that says fuel"
;; cause = ["trap"]
(func $"all fuel consumed by WebAssembly" unreachable)
(func $attack (type $handle)
  (call $"all fuel consumed by WebAssembly")
  unreachable)
