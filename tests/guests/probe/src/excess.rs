//! Taking more than one may.

use portcullis_sdk::prelude::*;

pub fn spin() -> ! {
    loop {
        std::hint::black_box(());
    }
}

pub fn hoard() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 1 << 20]);
        std::hint::black_box(&all);
    }
}

#[expect(unconditional_recursion, reason = "told to")]
pub fn recurse(depth: u64) -> u64 {
    std::hint::black_box([depth; 64]);
    1 + recurse(depth + 1)
}

pub fn flood() {
    for _ in 0..1_000 {
        info!("{}", "flood ".repeat(1_000));
    }
}
