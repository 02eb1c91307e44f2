;; what = "Has a function of half a megabyte that takes the compiler gigabytes of memory."
;; covers = "a small component that is large to the compiler"
;; raw = true
;; expected = "load-refused"
;; cause = ["compile-memory"]
;; ceiling-ms = 20000
;; memory-bytes = 33554432
(component (core module (func (param $sum i32) (result i32)
  (local
;;! repeat 40000
    i32
;;! end
  )
;;! repeat 1000
  loop
;;! end
;;! repeat 40000
  local.get $sum
  local.get {n}
  i32.add
  local.set $sum
  local.get $sum
  local.set {n}
;;! end
;;! repeat 1000
  local.get $sum
  br_if 0
  end
;;! end
  local.get $sum)))
