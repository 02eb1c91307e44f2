//! The one thread that moves an engine's epoch on, so that computing has a deadline.

mod priority;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use wasmtime::{Engine, EngineWeak};

/// How many ticks without a call before the ticker sleeps. A call that wakes it pays a system
/// call, so it stays up over the pauses within a turn.
const IDLE_TICKS: u32 = 200;

/// Moves an engine's epoch on while calls are in flight, and sleeps otherwise.
#[derive(Debug)]
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    tick: Duration,
}

#[derive(Debug, Default)]
struct Shared {
    in_flight: AtomicU64,
    asleep: AtomicBool,
    stop: AtomicBool,
}

impl Ticker {
    pub(crate) fn start(engine: &Engine, tick: Duration) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = std::thread::Builder::new()
            .name("portcullis-epoch".into())
            .spawn({
                let (shared, engine) = (shared.clone(), engine.weak());
                move || run(&shared, &engine, tick)
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
            tick,
        })
    }

    /// The time between two ticks.
    pub(crate) fn tick(&self) -> Duration {
        self.tick
    }

    /// Keeps the ticker awake for as long as the guard lives.
    pub(crate) fn call(&self) -> InFlight<'_> {
        // Sequentially consistent with the ticker's own order of the two: either it sees the call
        // before it sleeps, or the call sees that it sleeps.
        self.shared.in_flight.fetch_add(1, Ordering::SeqCst);
        if self.shared.asleep.load(Ordering::SeqCst)
            && let Some(thread) = &self.thread
        {
            thread.thread().unpark();
        }
        InFlight(&self.shared)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// A call in flight.
pub(crate) struct InFlight<'a>(&'a Shared);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run(shared: &Shared, engine: &EngineWeak, tick: Duration) {
    priority::first_in_line();
    let mut idle = 0;
    let mut next = Instant::now();
    while !shared.stop.load(Ordering::SeqCst) {
        if shared.in_flight.load(Ordering::SeqCst) == 0 {
            idle += 1;
        } else {
            idle = 0;
        }
        if idle >= IDLE_TICKS {
            shared.asleep.store(true, Ordering::SeqCst);
            while shared.in_flight.load(Ordering::SeqCst) == 0
                && !shared.stop.load(Ordering::SeqCst)
            {
                std::thread::park();
            }
            shared.asleep.store(false, Ordering::SeqCst);
            idle = 0;
            next = Instant::now();
        }
        // To a time, not for a while: a sleep that takes too long is made up for by the next ticks.
        next += tick;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticker(tick_ms: u64) -> (Engine, Ticker) {
        let engine = Engine::default();
        let ticker = Ticker::start(&engine, Duration::from_millis(tick_ms)).expect("a thread");
        (engine, ticker)
    }

    #[test]
    fn it_falls_asleep_without_calls_and_wakes_for_one() {
        let (_engine, ticker) = ticker(1);
        while !ticker.shared.asleep.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        let call = ticker.call();
        while ticker.shared.asleep.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        drop(call);
    }

    #[test]
    fn its_thread_ends_with_it() {
        let (_engine, ticker) = ticker(1);
        let shared = ticker.shared.clone();
        drop(ticker);
        assert_eq!(Arc::strong_count(&shared), 1);
    }
}
