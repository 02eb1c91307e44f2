//! Closing the sessions that are not used.

use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::{Entry, Open, Place, SessionLimits, Slot, spawn_close};

/// The shortest time between two searches. It applies while a session whose time is over is in use.
const LEAST_WAIT: Duration = Duration::from_millis(250);

/// The task that closes idle sessions. It ends when this is dropped.
#[derive(Default)]
pub(super) struct Timer(Mutex<Option<JoinHandle<()>>>);

impl Timer {
    /// Starts the task on the current runtime, unless it runs. Its runtime may have ended. Without
    /// a runtime nothing is started.
    pub(super) fn start(&self, open: &Arc<Mutex<Open>>, limits: SessionLimits) {
        let mut task = self.0.lock();
        if task.as_ref().is_none_or(JoinHandle::is_finished)
            && let Ok(runtime) = Handle::try_current()
        {
            *task = Some(runtime.spawn(run(Arc::downgrade(open), limits)));
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some(task) = self.0.get_mut() {
            task.abort();
        }
    }
}

async fn run(open: Weak<Mutex<Open>>, limits: SessionLimits) {
    while let Some(sessions) = open.upgrade() {
        let now = Instant::now();
        let (idle, next, added) = {
            let open = sessions.lock();
            let idle = open.idle(now, limits.idle);
            (idle, open.next_idle(limits.idle), open.added.clone())
        };
        // A bridge that is dropped takes its sessions along.
        drop(sessions);
        let closing: Vec<_> = idle
            .into_iter()
            .map(|(id, slot, place)| (id, slot, spawn_close(place, limits.drain)))
            .collect();
        for (id, slot, closing) in closing {
            match closing.await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::error!("an idle session could not be saved: {error}"),
                Err(error) => tracing::error!("closing an idle session failed: {error}"),
            }
            if let Some(open) = open.upgrade() {
                open.lock().forget(&id, &slot);
            }
        }
        match next {
            Some(next) => sleep_until(next.max(now + LEAST_WAIT)).await,
            None => added.notified().await,
        }
    }
}

impl Open {
    /// Returns the sessions that were not used for `idle`, with their locked places. The caller must
    /// close them and then forget them. Until then a call of such a session waits, and so does the
    /// end of the bridge.
    fn idle(&self, now: Instant, idle: Duration) -> Vec<(String, Slot, Place)> {
        let is_idle = |entry: &Entry| {
            // A question that is not answered within that time does not keep the session open.
            now.duration_since(entry.used) >= idle && entry.is_free()
        };
        let idle = self.entries.iter().filter(|(_, entry)| is_idle(entry));
        idle.filter_map(|(id, entry)| {
            let slot = entry.slot.clone();
            let place = slot.clone().try_write_owned().ok()?;
            Some((id.clone(), slot, place))
        })
        .collect()
    }

    /// Returns the time at which the next session has not been used for `idle`. `None` if there is
    /// no such time.
    fn next_idle(&self, idle: Duration) -> Option<Instant> {
        let times = self.entries.values();
        times.filter_map(|entry| entry.used.checked_add(idle)).min()
    }
}
