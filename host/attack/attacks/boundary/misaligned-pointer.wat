;; what = "Has its facts written to an odd address."
;; covers = "bad pointer"
;; imports = ["pre-turn-facts/facts"]
;; cause = ["bad-output"]
(func $attack (type $handle)
  (call $facts (i32.const 2049))
  (i32.const 0))
