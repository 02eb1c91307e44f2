;; what = "Writes a message of the host's own protocol to its output."
;; covers = "forged JSON-RPC on stdout"
;; imports = ["stdio"]
;; expected = "survived"
(data (i32.const 4096) "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}\0a")
(func $attack (type $handle)
  (local $out i32)
  (local.set $out (call $get-stdout))
  (call $write (local.get $out) (i32.const 4096) (i32.const 46) (i32.const 2048))
  (i32.const 0))
