;; what = "Divides forever, which is slower than what fuel counts."
;; covers = "endless loop in the call"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (local $n i64)
  (local.set $n (i64.const -1))
  (loop $again
    ;;! repeat 64
    (local.set $n (i64.or (i64.const 3) (i64.div_u (i64.const -1) (local.get $n))))
    ;;! end
    (br $again))
  unreachable)
