//! Clocks and random numbers that are the same in every run, for tests of hooks.

use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::Digest as _;
use tokio::time::Instant;
use wasmtime::component::{Resource, ResourceTable};
use wasmtime_wasi::clocks::WasiClocksCtxView;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};
use wasmtime_wasi::random;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtxBuilder};

use crate::sandbox::engine::Deterministic;

/// The step of the monotonic clock at each read, in nanoseconds.
const STEP: u64 = 1_000;
/// The number of bytes after which random numbers repeat.
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

/// A clock that advances at each read and each wait, so that a hook that waits for a time reaches
/// it.
#[derive(Default, Clone)]
pub(super) struct Stepping(Arc<AtomicU64>);

impl HostMonotonicClock for Stepping {
    fn resolution(&self) -> u64 {
        STEP
    }

    fn now(&self) -> u64 {
        self.0.fetch_add(STEP, Ordering::Relaxed)
    }
}

/// A wait until a time on the clock. It takes real time, and the clock has advanced when it is
/// over.
struct Wait {
    clock: Stepping,
    /// The time on the clock at the end of the wait.
    until: u64,
    /// The end of the wait; `None` if it is too far away to be represented.
    over: Option<Instant>,
}

#[wasmtime_wasi::async_trait]
impl Pollable for Wait {
    async fn ready(&mut self) {
        match self.over {
            Some(over) => tokio::time::sleep_until(over).await,
            None => future::pending().await,
        }
        self.clock.0.fetch_max(self.until, Ordering::Relaxed);
    }
}

/// The monotonic clock of an instance: the deterministic one, if there is one.
pub(super) struct Monotonic<'a> {
    pub(super) wasi: WasiClocksCtxView<'a>,
    pub(super) stepping: Option<Stepping>,
}

impl Monotonic<'_> {
    fn wait(
        table: &mut ResourceTable,
        clock: Stepping,
        nanos: u64,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        let until = clock.0.load(Ordering::Relaxed).saturating_add(nanos);
        let over = Instant::now().checked_add(Duration::from_nanos(nanos));
        let wait = table.push(Wait { clock, until, over })?;
        subscribe(table, wait)
    }
}

impl monotonic_clock::Host for Monotonic<'_> {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.wasi.now()
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        self.wasi.resolution()
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.stepping {
            Some(clock) => {
                let nanos = when.saturating_sub(clock.now());
                self.subscribe_duration(nanos)
            }
            None => self.wasi.subscribe_instant(when),
        }
    }

    fn subscribe_duration(&mut self, nanos: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.stepping {
            // A wait of zero uses WASI's own clock, which lets other tasks run first.
            Some(clock) if nanos > 0 => Self::wait(self.wasi.table, clock.clone(), nanos),
            _ => self.wasi.subscribe_duration(nanos),
        }
    }
}

/// Makes the context deterministic. Returns its monotonic clock.
pub(super) fn repeat(builder: &mut WasiCtxBuilder, deterministic: Deterministic) -> Stepping {
    let stepping = Stepping::default();
    builder
        .wall_clock(Still(deterministic.now))
        .monotonic_clock(stepping.clone())
        .secure_random(random::Deterministic::new(bytes(
            "secure",
            deterministic.seed,
        )))
        .insecure_random(random::Deterministic::new(bytes(
            "insecure",
            deterministic.seed,
        )))
        .insecure_random_seed(deterministic.seed.into());
    stepping
}

/// Returns bytes that look random, derived from a seed.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_waited_for_has_passed() {
        let clock = Stepping::default();
        let mut wait = Wait {
            clock: clock.clone(),
            until: 5_000_000,
            over: Some(Instant::now()),
        };
        assert!(clock.now() < 5_000_000);
        wait.ready().await;
        assert!(clock.now() >= 5_000_000);
    }
}
