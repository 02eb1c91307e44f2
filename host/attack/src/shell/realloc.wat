(func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32)
      (result i32)
      (local $at i32)
      (local.set $at (i32.and
        (i32.add (global.get $top) (i32.const 15))
        (i32.const -16)))
      (global.set $top (i32.add (local.get $at) (local.get $new)))
      (block $fits
        (br_if $fits (i32.le_u (global.get $top) (i32.shl (memory.size) (i32.const 16))))
        (br_if $fits (i32.ne (i32.const -1)
          (memory.grow (i32.add (i32.const 1) (i32.shr_u (local.get $new) (i32.const 16))))))
        unreachable)
      (local.get $at))
