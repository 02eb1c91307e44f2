;; what = "Returns, and traps when its result has been read."
;; covers = "endless loop in post-return"
;; cause = ["trap"]
;; healthy = false
(func (export "post") (param i32) unreachable)
(func $attack (type $handle)
  (i32.const 0))
