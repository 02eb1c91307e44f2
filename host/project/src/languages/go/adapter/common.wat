  ;; WASI's first preview for a Go hook that opens no files: the clocks, random numbers and the two outputs; all other
  ;; functions return an error. WASI's own adapter imports all of `wasi:cli` and `wasi:filesystem`, and a clock that can
  ;; be waited for. Unused parts of this module are left out of the component.
  ;;
  ;; `poll_oneoff` is in another file.

  (import "wasi:clocks/wall-clock@0.2.0" "now" (func $wall (param i32)))
  (import "wasi:clocks/monotonic-clock@0.2.0" "now" (func $monotonic (result i64)))
  (import "wasi:clocks/monotonic-clock@0.2.1" "subscribe-duration" (func $subscribe (param i64) (result i32)))
  (import "wasi:io/poll@0.2.0" "[method]pollable.block" (func $block (param i32)))
  (import "wasi:io/poll@0.2.0" "[resource-drop]pollable" (func $drop-pollable (param i32)))
  (import "wasi:random/random@0.2.0" "get-random-bytes" (func $random (param i64 i32)))
  (import "wasi:cli/stdout@0.2.0" "get-stdout" (func $stdout (result i32)))
  (import "wasi:cli/stderr@0.2.0" "get-stderr" (func $stderr (result i32)))
  (import "wasi:io/streams@0.2.0" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
  (import "wasi:io/streams@0.2.0" "[resource-drop]output-stream" (func $drop (param i32)))
  ;; Go's memory. Its data begins at 12,288. This module uses 16 bytes at 4,096, which Go uses only in browsers.
  (import "env" "memory" (memory 0))

  ;; The address for random bytes: the host asks for memory, and gets the address that Go passed.
  (global $random-to (mut i32) (i32.const 0))
  (func (export "cabi_import_realloc") (param i32 i32 i32 i32) (result i32) (global.get $random-to))

  ;; The times that the clocks show while no import may be called: the garbage collector reads both when the host
  ;; asks Go for memory.
  (global $paused (mut i32) (i32.const 0))
  (global $last (mut i64) (i64.const 0))
  (global $last-wall (mut i64) (i64.const 0))
  ;; The lead of the clock over the host's.
  (global $ahead (mut i64) (i64.const 0))
  (func $now (result i64) (i64.add (call $monotonic) (global.get $ahead)))
  (func (export "adapter_monotonic_clock_set_paused") (param $is i32) (global.set $paused (local.get $is)))

  (func (export "clock_time_get") (param $clock i32) (param $precision i64) (param $to i32) (result i32)
    (if (i32.eqz (local.get $clock))
      (then
        (if (i32.eqz (global.get $paused))
          (then
            (call $wall (i32.const 4096))
            (global.set $last-wall
              (i64.add
                (i64.mul (i64.load (i32.const 4096)) (i64.const 1_000_000_000))
                (i64.load32_u (i32.const 4104))))))
        (i64.store (local.get $to) (global.get $last-wall)))
      (else
        (if (i32.eqz (global.get $paused)) (then (global.set $last (call $now))))
        (i64.store (local.get $to) (global.get $last))))
    (i32.const 0))

  (func (export "random_get") (param $to i32) (param $length i32) (result i32)
    (global.set $random-to (local.get $to))
    (call $random (i64.extend_i32_u (local.get $length)) (i32.const 4096))
    (i32.const 0))

  ;; A write has at most 4,096 bytes. Each opens a separate handle, and drops it.
  (func (export "fd_write") (param $fd i32) (param $parts i32) (param $count i32) (param $written i32) (result i32)
    (local $stream i32) (local $from i32) (local $left i32) (local $now i32) (local $all i32)
    (if (i32.eq (local.get $fd) (i32.const 1))
      (then (local.set $stream (call $stdout)))
      (else
        (if (i32.ne (local.get $fd) (i32.const 2)) (then (return (i32.const 8))))
        (local.set $stream (call $stderr))))
    (block $end
      (loop $next-part
        (br_if $end (i32.eqz (local.get $count)))
        (local.set $from (i32.load (local.get $parts)))
        (local.set $left (i32.load offset=4 (local.get $parts)))
        (local.set $all (i32.add (local.get $all) (local.get $left)))
        (block $end-of-part
          (loop $next
            (br_if $end-of-part (i32.eqz (local.get $left)))
            (local.set $now
              (select (local.get $left) (i32.const 4096) (i32.lt_u (local.get $left) (i32.const 4096))))
            (call $write (local.get $stream) (local.get $from) (local.get $now) (i32.const 4096))
            (local.set $from (i32.add (local.get $from) (local.get $now)))
            (local.set $left (i32.sub (local.get $left) (local.get $now)))
            (br $next)))
        (local.set $parts (i32.add (local.get $parts) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next-part)))
    (call $drop (local.get $stream))
    (i32.store (local.get $written) (local.get $all))
    (i32.const 0))

  ;; There are no arguments and no variables.
  (func $none (param $count i32) (param $bytes i32) (result i32)
    (i32.store (local.get $count) (i32.const 0))
    (i32.store (local.get $bytes) (i32.const 0))
    (i32.const 0))
  (export "args_sizes_get" (func $none))
  (export "environ_sizes_get" (func $none))
  (func $nothing (param i32 i32) (result i32) (i32.const 0))
  (export "args_get" (func $nothing))
  (export "environ_get" (func $nothing))

  ;; The outputs are of an unknown type, and no other descriptor is open.
  (func (export "fd_fdstat_get") (param $fd i32) (param $to i32) (result i32)
    (if (i32.gt_u (local.get $fd) (i32.const 2)) (then (return (i32.const 8))))
    (memory.fill (local.get $to) (i32.const 0) (i32.const 24))
    (i32.const 0))
  (func (export "sched_yield") (result i32) (i32.const 0))
  ;; The reason is in the component's error output.
  (func (export "proc_exit") (param i32) unreachable)

  ;; Functions that fail: no file can be opened, and no other descriptor is open.
  (func (export "fd_close") (param i32) (result i32) (i32.const 8))
  (func (export "fd_prestat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_prestat_dir_name") (param i32 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_fdstat_set_flags") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_fdstat_set_rights") (param i32 i64 i64) (result i32) (i32.const 8))
  (func (export "fd_advise") (param i32 i64 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_allocate") (param i32 i64 i64) (result i32) (i32.const 8))
  (func (export "fd_datasync") (param i32) (result i32) (i32.const 8))
  (func (export "fd_sync") (param i32) (result i32) (i32.const 8))
  (func (export "fd_filestat_get") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_filestat_set_size") (param i32 i64) (result i32) (i32.const 8))
  (func (export "fd_filestat_set_times") (param i32 i64 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_pread") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_pwrite") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_read") (param i32 i32 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_readdir") (param i32 i32 i32 i64 i32) (result i32) (i32.const 8))
  (func (export "fd_renumber") (param i32 i32) (result i32) (i32.const 8))
  (func (export "fd_seek") (param i32 i64 i32 i32) (result i32) (i32.const 8))
  (func (export "fd_tell") (param i32 i32) (result i32) (i32.const 8))
  (func (export "path_create_directory") (param i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_filestat_get") (param i32 i32 i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_filestat_set_times") (param i32 i32 i32 i32 i64 i64 i32) (result i32) (i32.const 44))
  (func (export "path_link") (param i32 i32 i32 i32 i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_open") (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32) (i32.const 44))
  (func (export "path_readlink") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_remove_directory") (param i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_rename") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_symlink") (param i32 i32 i32 i32 i32) (result i32) (i32.const 44))
  (func (export "path_unlink_file") (param i32 i32 i32) (result i32) (i32.const 44))
  (func (export "clock_res_get") (param i32 i32) (result i32) (i32.const 52))
  (func (export "sock_accept") (param i32 i32 i32) (result i32) (i32.const 52))
  (func (export "sock_recv") (param i32 i32 i32 i32 i32 i32) (result i32) (i32.const 52))
  (func (export "sock_send") (param i32 i32 i32 i32 i32) (result i32) (i32.const 52))
  (func (export "sock_shutdown") (param i32 i32) (result i32) (i32.const 52))
