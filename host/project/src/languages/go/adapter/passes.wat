  ;; Go's own helpers sleep when there is nothing else to run: they need not wait.
  (func (export "poll_oneoff") (param $asked i32) (param $events i32) (param $count i32) (param $number i32)
    (result i32)
    (i32.store (local.get $number) (i32.const 0))
    (i32.const 0))
