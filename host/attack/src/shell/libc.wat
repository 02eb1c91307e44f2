  (core module $libc
    (memory (export "memory") {pages})
    (global $top (mut i32) (i32.const 32768))
    {functions})
