;; what = "Jumps through a branch table of a thousand targets, forever."
;; covers = "endless loop in the call"
;; cause = ["fuel", "deadline"]
(func $attack (type $handle)
  (local $n i32)
  (loop $again
    (local.set $n (i32.add (i32.mul (local.get $n) (i32.const 1103515245)) (i32.const 12345)))
    (block $a (block $b (block $c
      (br_table
        ;;! repeat 333
        $a $b $c
        ;;! end
        $again
        (i32.and (local.get $n) (i32.const 1023))))))
    (br $again))
  unreachable)
