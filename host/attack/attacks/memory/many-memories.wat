;; what = "Has ten memories, each of which is under the cap."
;; covers = "many memories each under the cap"
;; cause = ["memory"]
;;! repeat 10
(memory $m{n} 1)
;;! end
(func $attack (type $handle)
  ;;! repeat 10
  (drop (memory.grow $m{n} (i32.const 150)))
  ;;! end
  (i32.const 0))
