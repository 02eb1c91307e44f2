;; what = "Leaks a hundred handles in each call."
;; covers = "handle leaks"
;; imports = ["stdio"]
;; cause = ["handles"]
;; play = "until-it-fails"
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (drop (call $get-stdout))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $again (i32.lt_u (local.get $n) (i32.const 100))))
  (i32.const 0))
