//! Clocks and random numbers that are the same in every run, for tests of hooks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::Digest as _;
use wasmtime_wasi::random;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtxBuilder};

use crate::sandbox::engine::Deterministic;

/// How far the monotonic clock advances whenever it is read, in nanoseconds.
const STEP: u64 = 1_000;
/// Bytes after which random numbers come round again.
const ROUND: usize = 4 << 10;

/// A wall clock that stands still.
struct Still(Duration);

impl HostWallClock for Still {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        self.0
    }
}

/// A clock that advances by being read, so that a hook that waits for a time reaches it.
#[derive(Default)]
struct Stepping(AtomicU64);

impl HostMonotonicClock for Stepping {
    fn resolution(&self) -> u64 {
        STEP
    }

    fn now(&self) -> u64 {
        self.0.fetch_add(STEP, Ordering::Relaxed)
    }
}

pub(super) fn repeat(builder: &mut WasiCtxBuilder, deterministic: Deterministic) {
    builder
        .wall_clock(Still(deterministic.now))
        .monotonic_clock(Stepping::default())
        .secure_random(random::Deterministic::new(bytes(
            "secure",
            deterministic.seed,
        )))
        .insecure_random(random::Deterministic::new(bytes(
            "insecure",
            deterministic.seed,
        )))
        .insecure_random_seed(deterministic.seed.into());
}

/// Bytes that look random, made from a seed.
fn bytes(of: &str, seed: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROUND);
    for block in 0.. {
        if bytes.len() >= ROUND {
            break;
        }
        bytes.extend_from_slice(&sha2::Sha256::digest(format!("{of} {seed} {block}")));
    }
    bytes
}
