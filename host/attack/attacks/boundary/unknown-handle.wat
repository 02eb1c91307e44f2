;; what = "Waits for a handle that it was never given."
;; covers = "bad pointer"
;; imports = ["sleep"]
;; cause = ["bad-output", "trap"]
(func $attack (type $handle)
  (call $block (i32.const 12345))
  (i32.const 0))
