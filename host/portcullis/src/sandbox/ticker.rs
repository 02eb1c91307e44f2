//! The thread that increments the engines' epochs, so that computing has a deadline.

mod priority;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{JoinHandle, Thread};
use std::time::{Duration, Instant};

use wasmtime::{Engine, EngineWeak};

/// The number of ticks without a call before the ticker sleeps. Waking it costs a call a system
/// call, so it stays awake during the pauses within a turn.
const IDLE_TICKS: u32 = 200;

/// Increments its engines' epochs while calls are in flight, and sleeps otherwise.
pub(crate) struct Ticker {
    activity: Arc<Activity>,
    engines: Arc<Engines>,
    thread: Option<JoinHandle<()>>,
    tick: Duration,
}

/// The engines of one host.
type Engines = Mutex<Vec<EngineWeak>>;

/// The state that calls and the ticker share.
#[derive(Debug, Default)]
pub(crate) struct Activity {
    running: AtomicUsize,
    asleep: AtomicBool,
    stop: AtomicBool,
    thread: OnceLock<Thread>,
}

impl Activity {
    /// Counts a call that begins, if fewer than `most` run, and wakes the ticker. A call is counted
    /// once: for its deadline and for the number of calls at once.
    #[inline]
    pub(crate) fn begin(&self, most: usize) -> bool {
        // Sequentially consistent with the ticker's own order of the two: either the ticker sees
        // the call before it sleeps, or the call sees that the ticker sleeps.
        let next = |running: usize| (running < most).then_some(running + 1);
        let begun = self
            .running
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, next)
            .is_ok();
        if begun && self.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
        begun
    }

    /// Counts the end of a call.
    #[inline]
    pub(crate) fn end(&self) {
        self.running.fetch_sub(1, Ordering::SeqCst);
    }

    /// Returns the number of running calls.
    pub(crate) fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    #[cold]
    fn wake(&self) {
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }
}

impl Ticker {
    pub(crate) fn start(engine: &Engine, tick: Duration) -> std::io::Result<Self> {
        let activity = Arc::new(Activity::default());
        let engines = Arc::new(Mutex::new(vec![engine.weak()]));
        let thread = std::thread::Builder::new()
            .name("portcullis-epoch".into())
            .spawn({
                let (activity, engines) = (activity.clone(), engines.clone());
                move || run(&activity, &engines, tick)
            })?;
        // Set here and nowhere else.
        let _ = activity.thread.set(thread.thread().clone());
        Ok(Self {
            activity,
            engines,
            thread: Some(thread),
            tick,
        })
    }

    /// Adds an engine whose epoch is incremented.
    pub(crate) fn add(&self, engine: &Engine) {
        lock(&self.engines).push(engine.weak());
    }

    /// Returns the time between two ticks.
    pub(crate) fn tick(&self) -> Duration {
        self.tick
    }

    /// Returns the counter of calls.
    pub(crate) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.activity.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn lock(engines: &Engines) -> MutexGuard<'_, Vec<EngineWeak>> {
    engines.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(activity: &Activity, engines: &Engines, tick: Duration) {
    priority::first_in_line();
    let mut idle = 0;
    let mut next = Instant::now();
    while !activity.stop.load(Ordering::SeqCst) {
        if activity.running() == 0 {
            idle += 1;
        } else {
            idle = 0;
        }
        if idle >= IDLE_TICKS {
            activity.asleep.store(true, Ordering::SeqCst);
            while activity.running() == 0 && !activity.stop.load(Ordering::SeqCst) {
                std::thread::park();
            }
            activity.asleep.store(false, Ordering::SeqCst);
            idle = 0;
            next = Instant::now();
        }
        // Sleeps until a time, not for a duration: the next ticks compensate for a sleep that takes
        // too long.
        next += tick;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        for engine in lock(engines).iter().filter_map(EngineWeak::upgrade) {
            engine.increment_epoch();
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
        while !ticker.activity.asleep.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        assert!(ticker.activity.begin(1));
        while ticker.activity.asleep.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        ticker.activity.end();
    }

    #[test]
    fn its_thread_ends_with_it() {
        let (_engine, ticker) = ticker(1);
        let activity = ticker.activity.clone();
        drop(ticker);
        assert_eq!(Arc::strong_count(&activity), 1);
    }
}
