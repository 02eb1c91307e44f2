;; what = "Has its facts written behind the end of its memory."
;; covers = "bad pointer"
;; imports = ["pre-turn-facts/facts"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $facts (i32.const 0x7ffffff0))
  (i32.const 0))
