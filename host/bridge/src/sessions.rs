//! The open sessions, by id.

mod idle;

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedRwLockWriteGuard, RwLock};
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;

use self::idle::Timer;

use crate::error::BridgeError;
use crate::session::OpenSession;

/// The maximum number of bytes of a session's id.
const LONGEST_ID: usize = 256;

/// Checks a session's id.
pub(crate) fn check_id(id: &str) -> Result<(), BridgeError> {
    let good = 1..=LONGEST_ID;
    if !good.contains(&id.len()) || id.chars().any(char::is_control) {
        return Err(BridgeError::BadSessionId { most: LONGEST_ID });
    }
    Ok(())
}

/// The sessions that are open, or are being opened.
pub(crate) struct Sessions {
    open: Arc<Mutex<Open>>,
    timer: Timer,
    limits: SessionLimits,
}

/// The limits of open sessions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionLimits {
    /// The time after which a session that is not used is closed.
    pub(crate) idle: Duration,
    /// The maximum number of open sessions.
    pub(crate) most: usize,
    /// The maximum wait for the detached runs of a session that is closed.
    pub(crate) drain: Duration,
}

#[derive(Default)]
struct Open {
    entries: HashMap<String, Entry>,
    /// Notified when a session is added.
    added: Arc<Notify>,
    /// Whether no more sessions are opened.
    has_ended: bool,
}

struct Entry {
    slot: Slot,
    used: Instant,
}

/// The slot of a session, which is empty until the session is opened. Calls take the read lock.
/// Opening and closing take the write lock, and so wait for the calls.
pub(crate) type Slot = Arc<RwLock<Option<OpenSession>>>;

/// A slot that is locked for opening or closing its session.
type Place = OwnedRwLockWriteGuard<Option<OpenSession>>;

impl Sessions {
    pub(crate) fn new(limits: SessionLimits) -> Self {
        Self {
            open: Arc::default(),
            timer: Timer::default(),
            limits,
        }
    }

    /// Returns the slot of a session and, if there are too many, the slot that must be closed: that
    /// of the least recently used session.
    pub(crate) fn slot(&self, id: &str) -> Result<(Slot, Option<Slot>), BridgeError> {
        check_id(id)?;
        // Its runtime may have ended since the last call.
        self.timer.start(&self.open, self.limits);
        let mut open = self.open.lock();
        let used = Instant::now();
        if let Some(entry) = open.entries.get_mut(id) {
            entry.used = used;
            return Ok((entry.slot.clone(), None));
        }
        if open.has_ended {
            return Err(BridgeError::Closed);
        }
        let most = self.limits.most;
        let mut closed = None;
        if open.entries.len() >= most {
            let unused = open.entries.iter().filter(|(_, entry)| entry.is_unused());
            let oldest = unused.min_by_key(|(_, entry)| entry.used);
            let oldest = oldest.map(|(id, _)| id.clone());
            let oldest = oldest.ok_or(BridgeError::TooManySessions { most })?;
            closed = open.entries.remove(&oldest).map(|entry| entry.slot);
        }
        let slot = Slot::default();
        let entry = Entry {
            slot: slot.clone(),
            used,
        };
        open.entries.insert(id.to_owned(), entry);
        open.added.notify_one();
        Ok((slot, closed))
    }

    /// Refuses to open more sessions.
    pub(crate) fn end(&self) {
        self.open.lock().has_ended = true;
    }

    /// Returns whether no more sessions are opened.
    pub(crate) fn has_ended(&self) -> bool {
        self.open.lock().has_ended
    }

    /// Returns the slot of a session, if it has one.
    pub(crate) fn get(&self, id: &str) -> Option<Slot> {
        let mut open = self.open.lock();
        let entry = open.entries.get_mut(id)?;
        entry.used = Instant::now();
        Some(entry.slot.clone())
    }

    /// Removes and returns the slot of a session that is not in use. The caller must close it.
    pub(crate) fn take_free(&self, id: &str) -> Free {
        let entries = &mut self.open.lock().entries;
        match entries.get(id) {
            None => Free::NotOpen,
            Some(entry) if !entry.is_free() => Free::InUse,
            Some(_) => entries
                .remove(id)
                .map_or(Free::NotOpen, |entry| Free::Taken(entry.slot)),
        }
    }

    /// Returns the slots of all sessions, with their ids.
    pub(crate) fn all(&self) -> Vec<(String, Slot)> {
        let open = self.open.lock();
        let slots = open.entries.iter();
        slots
            .map(|(id, entry)| (id.clone(), entry.slot.clone()))
            .collect()
    }

    /// Closes the session in a slot, once no call uses it. If another call waits for the slot, the
    /// slot is kept, and that call opens the session again in it. In another slot it could wait for
    /// a session that is never closed.
    pub(crate) async fn close(
        &self,
        id: &str,
        slot: Slot,
        within: Duration,
    ) -> Result<(), BridgeError> {
        let closed = close(slot.clone(), within).await;
        self.open.lock().forget(id, &slot);
        closed
    }

    pub(crate) fn len(&self) -> usize {
        self.open.lock().entries.len()
    }
}

impl Open {
    /// Removes the slot of a session that was closed, if no call waits for it.
    fn forget(&mut self, id: &str, slot: &Slot) {
        let is_this = |entry: &Entry| Arc::ptr_eq(&entry.slot, slot);
        // The map has one reference, and the caller has the other: no call can open the session
        // now. One may have opened it before.
        let is_unused = Arc::strong_count(slot) == 2;
        let is_empty = slot.try_read().is_ok_and(|place| place.is_none());
        if self.entries.get(id).is_some_and(is_this) && is_unused && is_empty {
            self.entries.remove(id);
        }
    }
}

/// The result of taking a session that is not in use.
pub(crate) enum Free {
    /// The session is not open.
    NotOpen,
    /// A call or a detached run uses the session.
    InUse,
    /// The slot of the session.
    Taken(Slot),
}

impl Entry {
    /// Returns whether no call and no detached run uses the session.
    fn is_free(&self) -> bool {
        Arc::strong_count(&self.slot) == 1 && !self.is_open_and(|it| it.session.detached_runs() > 0)
    }

    /// Returns whether the session is not in use and has no pending question.
    fn is_unused(&self) -> bool {
        self.is_free() && !self.is_open_and(|open| !open.pending.is_empty())
    }

    fn is_open_and(&self, is: impl FnOnce(&OpenSession) -> bool) -> bool {
        let place = self.slot.try_read();
        place.is_ok_and(|place| place.as_ref().is_some_and(is))
    }
}

/// Closes the session in a slot, once no call uses it. Waits up to `within` for its detached runs.
///
/// The session is closed even if the future is dropped, so that it does not stay claimed.
pub(crate) fn close(
    slot: Slot,
    within: Duration,
) -> impl Future<Output = Result<(), BridgeError>> + Send {
    let closing = tokio::spawn(async move { close_in(slot.write_owned().await, within).await });
    closing.map(|closed| match closed.map_err(JoinError::try_into_panic) {
        Ok(closed) => closed,
        Err(Ok(panic)) => resume_unwind(panic),
        Err(Err(_)) => Err(BridgeError::NotClosed),
    })
}

/// Closes the session in a locked place, even if the handle is dropped.
fn spawn_close(place: Place, within: Duration) -> JoinHandle<Result<(), BridgeError>> {
    tokio::spawn(close_in(place, within))
}

async fn close_in(mut place: Place, within: Duration) -> Result<(), BridgeError> {
    match place.take() {
        Some(open) => open.close(within).await,
        None => Ok(()),
    }
}
