;; what = "Has five thousand functions, each of which calls the next."
;; covers = "endless loop in the call"
;; cause = ["fuel", "deadline"]
;; ceiling-ms = 800
;;! repeat 5000
(func $f{n} (param i32) (result i32) (i32.add (i32.const {n}) (local.get 0)))
;;! end
(func $all (param i32) (result i32)
  ;;! repeat 5000
  (local.set 0 (call $f{n} (local.get 0)))
  ;;! end
  (local.get 0))
(func $attack (type $handle)
  (loop $again (drop (call $all (i32.const 0))) (br $again))
  unreachable)
