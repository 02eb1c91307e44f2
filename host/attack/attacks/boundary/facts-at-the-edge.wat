;; what = "Has its facts written to the end of its memory, where there is room for half of them."
;; covers = "bad pointer"
;; imports = ["pre-turn-facts/facts"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $facts (i32.const 131068))
  (i32.const 0))
