;; what = "Puts as many letters in place of what was said as it has been called times in its session."
;; id = "neighbour"
;; answers = ["transform"]
;; priority = -100
(global $calls (mut i32) (i32.const 0))
(func (export "handle") (type $handle)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (memory.fill (i32.const 4096) (i32.const 110) (global.get $calls))
  ;; One part: a text.
  (i32.store (i32.const 3076) (i32.const 4096))
  (i32.store (i32.const 3080) (global.get $calls))
  (call $transform (i32.const 3072) (i32.const 1))
  (i32.const 1))
