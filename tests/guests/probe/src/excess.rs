//! Use of more resources than the limits allow.

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

pub fn call(times: u32) {
    for _ in 0..times {
        std::hint::black_box(wasip2::clocks::monotonic_clock::now());
    }
}

pub fn log(lines: u32) {
    for line in 1..=lines {
        info!("line {line}");
    }
}

pub fn emit(events: u32) -> HookResult<()> {
    for _ in 0..events {
        events::emit("event", &"0123456789")?;
    }
    Ok(())
}

pub fn handles(times: u32) {
    let held: Vec<_> = (0..times)
        .map(|_| wasip2::cli::stdin::get_stdin())
        .collect();
    std::hint::black_box(held);
}
