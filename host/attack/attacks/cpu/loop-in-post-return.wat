;; what = "Returns, and computes forever when its result has been read."
;; covers = "endless loop in post-return"
;; cause = ["fuel", "deadline"]
;; healthy = false
(func (export "post") (param i32) (loop $again (br $again)))
(func $attack (type $handle)
  (i32.const 0))
