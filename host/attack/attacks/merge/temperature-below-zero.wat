;; what = "Sets the temperature of a model call to less than nothing."
;; covers = "an answer that is not allowed changes nothing"
;; point = "pre-llm-call"
;; cause = ["bad-output"]
(func $attack (type $handle)
  (i32.store8 (i32.const 2056) (i32.const 1))
  (i32.store8 (i32.const 2080) (i32.const 1))
  (f64.store (i32.const 2088) (f64.const -1e308))
  (i32.const 2048))
