;; what = "Reads facts and gives none of their memory back, until there is none."
;; covers = "allocation bomb at start"
;; imports = ["call/session-id"]
;; cause = ["memory", "fuel", "deadline", "host-calls", "trap"]
(global $at (mut i32) (i32.const 131072))
;; A page for each text.
(func $cabi_realloc (param i32 i32 i32 i32) (result i32)
  (if (i32.eq (i32.const -1) (memory.grow (i32.const 1))) (then unreachable))
  (global.set $at (i32.add (global.get $at) (i32.const 65536)))
  (i32.sub (global.get $at) (i32.const 65536)))
(func $attack (type $handle)
  (loop $again (call $session-id (i32.const 2048)) (br $again))
  unreachable)
