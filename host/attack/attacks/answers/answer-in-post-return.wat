;; what = "Returns that it gave no answer, and refuses when that has been read."
;; covers = "an answer at the wrong time or place"
;; cause = ["trap", "bad-output"]
(global $hostile (mut i32) (i32.const 0))
(func (export "post") (param i32)
  (if (global.get $hostile) (then (drop (call $refuse)))))
(func $attack (type $handle)
  (global.set $hostile (i32.const 1))
  (i32.const 0))
