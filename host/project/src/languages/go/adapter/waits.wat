  ;; Waits until the earliest requested time. The clock then shows at least that time: a test's clock may show less, and
  ;; Go would wait again. No other events are supported.
  (func (export "poll_oneoff") (param $asked i32) (param $events i32) (param $count i32) (param $number i32)
    (result i32)
    (local $begin i64) (local $least i64) (local $time i64) (local $first i32) (local $pollable i32)
    (local.set $begin (call $now))
    (local.set $least (i64.const -1))
    (block $end
      (loop $next
        (br_if $end (i32.eqz (local.get $count)))
        (if (i32.eqz (i32.load8_u offset=8 (local.get $asked)))
          (then
            (local.set $time (i64.load offset=24 (local.get $asked)))
            ;; An absolute time, if the flag is set.
            (if (i32.and (i32.load16_u offset=40 (local.get $asked)) (i32.const 1))
              (then
                (local.set $time
                  (select
                    (i64.sub (local.get $time) (local.get $begin))
                    (i64.const 0)
                    (i64.gt_u (local.get $time) (local.get $begin))))))
            (if (i64.lt_u (local.get $time) (local.get $least))
              (then
                (local.set $least (local.get $time))
                (local.set $first (local.get $asked))))))
        (local.set $asked (i32.add (local.get $asked) (i32.const 48)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))
    (if (i32.eqz (local.get $first))
      (then
        (i32.store (local.get $number) (i32.const 0))
        (return (i32.const 0))))
    (local.set $pollable (call $subscribe (local.get $least)))
    (call $block (local.get $pollable))
    (call $drop-pollable (local.get $pollable))
    (local.set $time (i64.sub (call $now) (local.get $begin)))
    (if (i64.lt_u (local.get $time) (local.get $least))
      (then
        (global.set $ahead
          (i64.add (global.get $ahead) (i64.sub (local.get $least) (local.get $time))))))
    (memory.fill (local.get $events) (i32.const 0) (i32.const 32))
    (i64.store (local.get $events) (i64.load (local.get $first)))
    (i32.store (local.get $number) (i32.const 1))
    (i32.const 0))
