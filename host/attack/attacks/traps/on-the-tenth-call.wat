;; what = "Counts its calls, and traps in the tenth."
;; covers = "on the Nth call"
;; cause = ["trap"]
;; play = "until-it-fails"
(global $n (mut i32) (i32.const 0))
(func $attack (type $handle)
  (global.set $n (i32.add (global.get $n) (i32.const 1)))
  (if (i32.eq (global.get $n) (i32.const 10)) (then unreachable))
  (i32.const 0))
