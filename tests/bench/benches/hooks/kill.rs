//! The time from its deadline to the end of an endless loop, and the machine's share of it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures::FutureExt;
use portcullis::verdict::Cause;
use portcullis::{Session, SessionOptions};
use portcullis_tests::{HooksDir, hook, turn};
use thread_priority::unix::{
    RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{ThreadPriority, set_current_thread_priority};

const DEADLINE: Duration = Duration::from_millis(20);
const TICK: Duration = Duration::from_millis(1);
const TRIALS: usize = 200;

/// Times past the deadline, shortest first.
pub struct Late {
    /// The times of a hook's endless loop.
    pub hook: Vec<Duration>,
    /// The times of a loop in this process that ends once another thread has set a flag at the
    /// deadline: the time that the machine needs to run two threads.
    pub machine: Vec<Duration>,
}

/// Ends loops on an otherwise idle machine, and then beside twice as many busy threads as there are
/// cores, as a compiler has.
pub fn past_the_deadline() -> [(&'static str, Late); 2] {
    // The hook is called each time, however often it failed and however long it took.
    let settings = "[quarantine]\nfailures = 1000000\n[turn]\nhooks-ms = 1000000\n".to_owned()
        + &hook("probe", "", "pre-turn = \"spin\"")
        + &format!(
            "[hooks.probe.limits]\nfuel = false\ndeadline-ms = {}\n",
            DEADLINE.as_millis()
        );
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let session = hooks.session(SessionOptions::new("bench"));
    let alone = trials(&session);
    let beside = beside_busy_threads(|| trials(&session));
    [("", alone), (", beside busy threads", beside)]
}

fn trials(session: &Session) -> Late {
    let (mut hook, mut machine): (Vec<_>, Vec<_>) = (0..TRIALS)
        .map(|_| (by_the_host(session), by_a_flag()))
        .unzip();
    hook.sort();
    machine.sort();
    Late { hook, machine }
}

fn by_the_host(session: &Session) -> Duration {
    let started = Instant::now();
    let verdict = session.run(&mut turn("hello")).now_or_never();
    let took = started.elapsed();
    let cause = verdict.and_then(|verdict| verdict.runs[0].cause());
    assert_eq!(cause, Some(Cause::Deadline));
    took.saturating_sub(DEADLINE)
}

fn by_a_flag() -> Duration {
    let over = AtomicBool::new(false);
    let started = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            first_in_line();
            while started.elapsed() < DEADLINE {
                std::thread::sleep(TICK);
            }
            over.store(true, Ordering::Release);
        });
        while !over.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        started.elapsed().saturating_sub(DEADLINE)
    })
}

/// Gives this thread the priority that the host's ticker requests.
fn first_in_line() {
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    if set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy).is_err() {
        // Without the priority the machine is as late as it is for the ticker.
        let _ = set_current_thread_priority(ThreadPriority::Max);
    }
}

fn beside_busy_threads<T>(work: impl FnOnce() -> T) -> T {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        over.store(true, Ordering::Relaxed);
        done
    })
}
