//! Detached hook runs.
//!
//! The number of concurrent detached runs is limited, for the whole host and for each hook over all
//! sessions. Background runs have a lower limit than fired and recorded runs. The runs of one hook
//! in one session run one after another, in the order of the requests, and outlive the turn and the
//! session.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc};

use super::pending::{PendingRun, PendingRuns};
use crate::contract::ExecutionPolicy;
use crate::model::hook::{HookId, Profile};
use crate::model::threads::{self, BlockingError};

/// The most background runs at the same time. A hook may have half of them.
const MOST_IN_BACKGROUND: usize = 4;
/// The most fired and recorded runs at the same time, whatever the limit on concurrent calls: each
/// run takes a thread.
const MOST_FIRED: usize = 64;
/// The most runs of one hook in one session that may wait.
const MOST_WAITING: usize = 256;
/// The most runs that may wait over all hooks and sessions: each run keeps its call's data.
const MOST_PENDING: usize = 32_768;
/// The most runs of one hook in one session that may wait once half of `MOST_PENDING` wait, so that
/// one session cannot fill the other half.
const FEW_WAITING: usize = 8;

/// The future of a detached run.
pub(crate) type Work = BoxFuture<'static, ()>;

/// All detached runs of a host.
#[derive(Debug)]
pub(crate) struct Background {
    fired: Slots,
    queued: Slots,
    most_pending: usize,
    pending: PendingRuns,
}

/// The limits on runs at the same time.
#[derive(Debug)]
struct Slots {
    all: Semaphore,
    of_one_hook: usize,
    hooks: Mutex<HashMap<HookId, Weak<Semaphore>>>,
}

impl Slots {
    fn new(most: usize) -> Self {
        Self {
            all: Semaphore::new(most),
            of_one_hook: (most / 2).max(1),
            hooks: Mutex::default(),
        }
    }

    /// Returns the slots of one hook, the same in all sessions.
    fn of(&self, hook: &HookId) -> Arc<Semaphore> {
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slots) = hooks.get(hook).and_then(Weak::upgrade) {
            return slots;
        }
        hooks.retain(|_, slots| slots.strong_count() > 0);
        let slots = Arc::new(Semaphore::new(self.of_one_hook));
        hooks.insert(hook.clone(), Arc::downgrade(&slots));
        slots
    }
}

/// The runs of one hook in one session.
#[derive(Debug, Default)]
pub(crate) struct RunQueue(OnceLock<mpsc::Sender<Queued>>);

/// A run that waits or is driven, and the counters that include it until it has ended.
struct Queued {
    work: Work,
    pending: [PendingRun; 2],
}

/// A reserved slot in a run queue. Reports that are made before the slot is filled precede the
/// report of the run's end.
pub(crate) struct QueueSlot<'a> {
    background: &'a Arc<Background>,
    permit: mpsc::Permit<'a, Queued>,
}

impl QueueSlot<'_> {
    /// Starts a run of a session, or queues it.
    pub(crate) fn fill(self, work: Work, of_session: &PendingRuns) {
        let pending = [self.background.pending.begin(), of_session.begin()];
        self.permit.send(Queued { work, pending });
    }
}

/// The reason why a run is not queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotTaken {
    /// Too many of the hook's runs are waiting in the session.
    Full,
    /// Too many runs are waiting over all sessions.
    AllFull,
    /// There is no runtime for the run.
    NoRuntime,
}

impl std::fmt::Display for NotTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Full => write!(f, "{MOST_WAITING} of its runs are waiting already"),
            Self::AllFull => {
                f.write_str("too many runs of all hooks and sessions are waiting already")
            }
            Self::NoRuntime => {
                f.write_str("there is no tokio runtime to run it on, or none any more")
            }
        }
    }
}

impl Default for Background {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl Background {
    /// Creates the runs of a host with this limit on concurrent component calls. A quarter of the
    /// calls may be detached.
    pub(crate) fn new(concurrent_calls: usize) -> Self {
        let most = (concurrent_calls / 4).clamp(1, MOST_FIRED);
        Self {
            fired: Slots::new(most),
            queued: Slots::new(most.min(MOST_IN_BACKGROUND)),
            most_pending: MOST_PENDING,
            pending: PendingRuns::default(),
        }
    }

    /// Reserves a slot in the queue for a run.
    pub(crate) fn reserve<'a>(
        self: &'a Arc<Self>,
        run_queue: &'a RunQueue,
        profile: &Profile,
    ) -> Result<QueueSlot<'a>, NotTaken> {
        let runtime = Handle::try_current().map_err(|_| NotTaken::NoRuntime)?;
        let sender = run_queue.0.get_or_init(|| {
            let (sender, receiver) = mpsc::channel(MOST_WAITING);
            let (execution, hook) = (profile.execution, profile.id.clone());
            runtime.spawn(self.clone().serve(receiver, execution, hook));
            sender
        });
        let waiting = sender.max_capacity() - sender.capacity();
        let pending = self.pending.count();
        let crowded = pending >= self.most_pending / 2 && waiting >= FEW_WAITING;
        if crowded || pending >= self.most_pending {
            return Err(NotTaken::AllFull);
        }
        let permit = sender.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => NotTaken::Full,
            TrySendError::Closed(()) => NotTaken::NoRuntime,
        })?;
        Ok(QueueSlot {
            background: self,
            permit,
        })
    }

    async fn serve(
        self: Arc<Self>,
        mut run_queue: mpsc::Receiver<Queued>,
        execution: ExecutionPolicy,
        hook: HookId,
    ) {
        let slots = match execution {
            ExecutionPolicy::Background => &self.queued,
            _ => &self.fired,
        };
        let of_hook = slots.of(&hook);
        while let Some(Queued { work, pending }) = run_queue.recv().await {
            // The hook's own slot first: while a run waits for it, the run takes no slot from other
            // hooks.
            let slot = (of_hook.acquire().await.ok(), slots.all.acquire().await.ok());
            drive(work).await;
            drop(slot);
            drop(pending);
        }
    }

    /// Returns the runs that have not ended.
    pub(crate) fn pending(&self) -> &PendingRuns {
        &self.pending
    }
}

/// Drives a run to its end on a blocking thread, since a hook may compute until its deadline. If
/// the system has no thread left, a thread of the runtime drives the run. A panic ends only its own
/// run.
async fn drive(work: Work) {
    let work = Arc::new(Mutex::new(Some(work)));
    let of_thread = work.clone();
    let runtime = Handle::current();
    let driven = threads::blocking(move || take(&of_thread).map(|work| runtime.block_on(work)));
    match driven.await {
        Ok(_) => {}
        Err(error @ BlockingError::NoThread) => {
            tracing::warn!("a detached hook run keeps others waiting: {error}");
            if let Some(work) = take(&work)
                && AssertUnwindSafe(work).catch_unwind().await.is_err()
            {
                tracing::error!("a hook run in the background was lost: it panicked");
            }
        }
        Err(error) => tracing::error!("a hook run in the background was lost: {error}"),
    }
}

fn take(work: &Mutex<Option<Work>>) -> Option<Work> {
    work.lock().unwrap_or_else(PoisonError::into_inner).take()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::watch;

    use super::*;

    fn profile(id: &str, execution: ExecutionPolicy) -> Profile {
        Profile {
            execution,
            ..Profile::new(id)
        }
    }

    /// Queues a run of a new session.
    fn queue(slot: QueueSlot<'_>, work: Work) {
        slot.fill(work, &PendingRuns::default());
    }

    #[test]
    fn a_run_without_a_thread_is_driven_by_the_runtime() {
        let runtime = threads::runtime_without_threads();
        runtime.block_on(async {
            let background = Arc::new(Background::new(16));
            let run_queue = RunQueue::default();
            let (running, mut ran) = mpsc::unbounded_channel();
            for run in 0..3 {
                let slot =
                    background.reserve(&run_queue, &profile("a", ExecutionPolicy::FireAndRecord));
                let running = running.clone();
                queue(
                    slot.expect("room to wait"),
                    Box::pin(async move { running.send(run).expect("the test's") }),
                );
            }
            assert_eq!(background.pending.drain(Duration::from_secs(20)).await, 0);
            let ran: Vec<_> = std::iter::from_fn(|| ran.try_recv().ok()).collect();
            assert_eq!(ran, [0, 1, 2]);
        });
    }

    #[test]
    fn a_run_that_panics_without_a_thread_ends_no_other() {
        let runtime = threads::runtime_without_threads();
        runtime.block_on(async {
            let background = Arc::new(Background::new(16));
            let (run_queue, profile) = (
                RunQueue::default(),
                profile("a", ExecutionPolicy::Background),
            );
            let (running, mut ran) = mpsc::unbounded_channel();
            let fill = |work| {
                queue(
                    background.reserve(&run_queue, &profile).expect("room"),
                    work,
                )
            };
            fill(Box::pin(async { panic!("a run that panics") }));
            fill(Box::pin(
                async move { running.send(()).expect("the test's") },
            ));
            assert_eq!(background.pending.drain(Duration::from_secs(20)).await, 0);
            assert_eq!(ran.try_recv(), Ok(()));
        });
    }

    #[test]
    fn runs_of_a_runtime_that_ended_are_not_pending() {
        let runtime = threads::runtime_without_threads();
        let background = Arc::new(Background::new(16));
        runtime.block_on(async {
            let (run_queue, profile) = (
                RunQueue::default(),
                profile("a", ExecutionPolicy::Background),
            );
            for _ in 0..3 {
                let slot = background.reserve(&run_queue, &profile).expect("room");
                queue(slot, Box::pin(std::future::pending()));
            }
            tokio::task::yield_now().await;
        });
        assert_eq!(background.pending.count(), 3);
        drop(runtime);
        assert_eq!(background.pending.count(), 0);
    }

    #[tokio::test]
    async fn a_hook_has_no_more_than_half_of_the_room_over_all_sessions() {
        let background = Arc::new(Background::new(16));
        let (open, gate) = watch::channel(false);
        let (running, mut ran) = mpsc::unbounded_channel();
        let run_queues: Vec<RunQueue> = (0..12).map(|_| RunQueue::default()).collect();
        let start = |run_queue: &RunQueue, id: &'static str| {
            let (mut gate, running) = (gate.clone(), running.clone());
            let profile = profile(id, ExecutionPolicy::FireAndRecord);
            let slot = background.reserve(run_queue, &profile).expect("a slot");
            queue(
                slot,
                Box::pin(async move {
                    running.send(id).expect("a test that listens");
                    let _ = gate.wait_for(|open| *open).await;
                }),
            );
        };
        for run_queue in &run_queues[..10] {
            start(run_queue, "greedy");
        }
        for run_queue in &run_queues[10..] {
            start(run_queue, "modest");
        }
        let mut seen = Vec::new();
        for _ in 0..4 {
            seen.extend(ran.recv().await);
        }
        seen.sort_unstable();
        assert_eq!(seen, ["greedy", "greedy", "modest", "modest"]);
        assert_eq!(background.pending.count(), 12);
        open.send(true).expect("runs that wait");
        assert_eq!(background.pending.drain(Duration::from_secs(20)).await, 0);
    }

    #[tokio::test]
    async fn runs_of_a_queue_keep_their_order_and_are_drained() {
        let background = Arc::new(Background::default());
        let run_queue = RunQueue::default();
        let seen = Arc::new(Mutex::new(Vec::new()));
        for n in 0..20 {
            let seen = seen.clone();
            let work = Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                seen.lock().unwrap().push(n);
            });
            let slot =
                background.reserve(&run_queue, &profile("hook", ExecutionPolicy::Background));
            queue(slot.unwrap(), work);
        }
        drop(run_queue);
        assert_eq!(background.pending.drain(Duration::from_secs(10)).await, 0);
        assert_eq!(*seen.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_full_queue_says_so() {
        let background = Arc::new(Background::default());
        let run_queue = RunQueue::default();
        let (open, gate) = watch::channel(false);
        let mut taken = 0;
        loop {
            let mut gate = gate.clone();
            let work = Box::pin(async move {
                let _ = gate.wait_for(|open| *open).await;
            });
            match background.reserve(&run_queue, &profile("hook", ExecutionPolicy::FireAndRecord)) {
                Ok(slot) => {
                    queue(slot, work);
                    taken += 1;
                }
                Err(error) => {
                    assert_eq!(error, NotTaken::Full);
                    break;
                }
            }
        }
        assert_eq!(background.pending.count(), taken);
        open.send(true).unwrap();
        assert_eq!(background.pending.drain(Duration::from_secs(10)).await, 0);
    }

    #[tokio::test]
    async fn a_session_that_queues_many_runs_takes_no_room_from_others() {
        let background = Arc::new(Background {
            most_pending: 40,
            ..Background::default()
        });
        let profile = profile("hook", ExecutionPolicy::FireAndRecord);
        let (greedy, modest) = (RunQueue::default(), RunQueue::default());
        let (open, gate) = watch::channel(false);
        let fill = |run_queue: &RunQueue| {
            let mut gate = gate.clone();
            let slot = background.reserve(run_queue, &profile)?;
            queue(
                slot,
                Box::pin(async move {
                    let _ = gate.wait_for(|open| *open).await;
                }),
            );
            Ok(())
        };
        let taken = (0..40).map_while(|_| fill(&greedy).ok()).count();
        assert!((20..=22).contains(&taken), "{taken}");
        assert_eq!(fill(&greedy), Err(NotTaken::AllFull));
        for _ in 0..FEW_WAITING {
            assert_eq!(fill(&modest), Ok(()));
        }
        open.send(true).expect("runs that wait");
        assert_eq!(background.pending.drain(Duration::from_secs(20)).await, 0);
        assert_eq!(fill(&greedy), Ok(()));
    }
}
