//! Detached hook runs.
//!
//! A hook that is fired and recorded starts at once; a background hook is queued, and only so many
//! of them run side by side. Either way the runs of one hook in one session come one after
//! another, in the order they were asked for, and they outlive the turn and the session.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::contract::ExecutionPolicy;

/// How many background hooks run side by side.
const SIDE_BY_SIDE: usize = 2;
/// How many runs of one hook may wait.
const MOST_WAITING: usize = 256;

/// A run, ready to be driven.
pub(crate) type Work = BoxFuture<'static, ()>;

/// All detached runs of a host.
#[derive(Debug)]
pub(crate) struct Background {
    slots: Arc<Semaphore>,
    /// How many runs have not ended.
    pending: watch::Sender<usize>,
}

/// The runs of one hook in one session.
#[derive(Debug, Default)]
pub(crate) struct RunQueue(OnceLock<mpsc::Sender<Work>>);

/// A place in a lane. What is reported of a run before it is filled is reported before the run's end.
#[derive(Debug)]
pub(crate) struct Place<'a> {
    background: &'a Background,
    permit: mpsc::Permit<'a, Work>,
}

impl Place<'_> {
    /// Starts a run, or queues it.
    pub(crate) fn fill(self, work: Work) {
        self.background.pending.send_modify(|pending| *pending += 1);
        self.permit.send(work);
    }
}

/// A run cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotTaken {
    /// Too many are waiting.
    Full,
    /// There is no runtime to run it on.
    NoRuntime,
}

impl std::fmt::Display for NotTaken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Full => write!(f, "{MOST_WAITING} of its runs are waiting already"),
            Self::NoRuntime => {
                f.write_str("there is no tokio runtime to run it on, or none any more")
            }
        }
    }
}

impl Default for Background {
    fn default() -> Self {
        Self {
            slots: Arc::new(Semaphore::new(SIDE_BY_SIDE)),
            pending: watch::Sender::new(0),
        }
    }
}

impl Background {
    /// Keeps a place in the lane for a run.
    pub(crate) fn place<'a>(
        self: &'a Arc<Self>,
        lane: &'a RunQueue,
        execution: ExecutionPolicy,
    ) -> Result<Place<'a>, NotTaken> {
        let runtime = Handle::try_current().map_err(|_| NotTaken::NoRuntime)?;
        let sender = lane.0.get_or_init(|| {
            let (sender, receiver) = mpsc::channel(MOST_WAITING);
            let queued = execution == ExecutionPolicy::Background;
            runtime.spawn(self.clone().serve(receiver, queued));
            sender
        });
        let permit = sender.try_reserve().map_err(|error| match error {
            TrySendError::Full(()) => NotTaken::Full,
            TrySendError::Closed(()) => NotTaken::NoRuntime,
        })?;
        Ok(Place {
            background: self,
            permit,
        })
    }

    async fn serve(self: Arc<Self>, mut lane: mpsc::Receiver<Work>, queued: bool) {
        while let Some(work) = lane.recv().await {
            let slot = match queued {
                true => self.slots.acquire().await.ok(),
                false => None,
            };
            let runtime = Handle::current();
            // Off the runtime's own threads: a hook may compute until its deadline.
            let driven = tokio::task::spawn_blocking(move || runtime.block_on(work)).await;
            if let Err(error) = driven {
                tracing::error!("a hook run in the background was lost: {error}");
            }
            drop(slot);
            self.ended();
        }
    }

    fn ended(&self) {
        self.pending.send_modify(|pending| *pending -= 1);
    }

    /// How many runs have not ended.
    pub(crate) fn pending(&self) -> usize {
        *self.pending.borrow()
    }

    /// Waits until all runs have ended, for no longer than this. Gives how many have not.
    pub(crate) async fn drain(&self, within: Duration) -> usize {
        let mut pending = self.pending.subscribe();
        let _ = tokio::time::timeout(within, pending.wait_for(|pending| *pending == 0)).await;
        self.pending()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn runs_of_a_lane_keep_their_order_and_are_drained() {
        let background = Arc::new(Background::default());
        let lane = RunQueue::default();
        let seen = Arc::new(Mutex::new(Vec::new()));
        for n in 0..20 {
            let seen = seen.clone();
            let work = Box::pin(async move {
                tokio::time::sleep(Duration::from_millis(1)).await;
                seen.lock().unwrap().push(n);
            });
            let place = background.place(&lane, ExecutionPolicy::Background);
            place.unwrap().fill(work);
        }
        drop(lane);
        assert_eq!(background.drain(Duration::from_secs(10)).await, 0);
        assert_eq!(*seen.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_full_lane_says_so() {
        let background = Arc::new(Background::default());
        let lane = RunQueue::default();
        let (open, gate) = watch::channel(false);
        let mut taken = 0;
        loop {
            let mut gate = gate.clone();
            let work = Box::pin(async move {
                let _ = gate.wait_for(|open| *open).await;
            });
            match background.place(&lane, ExecutionPolicy::FireAndRecord) {
                Ok(place) => {
                    place.fill(work);
                    taken += 1;
                }
                Err(error) => {
                    assert_eq!(error, NotTaken::Full);
                    break;
                }
            }
        }
        assert_eq!(background.pending(), taken);
        open.send(true).unwrap();
        assert_eq!(background.drain(Duration::from_secs(10)).await, 0);
    }
}
