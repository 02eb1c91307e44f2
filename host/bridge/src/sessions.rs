//! The open sessions, by id.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::FutureExt as _;
use parking_lot::Mutex;
use tokio::sync::RwLock;
use tokio::task::JoinError;

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
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Entry>>);

struct Entry {
    slot: Slot,
    used: Instant,
}

/// The slot of a session, which is empty until the session is opened. Calls take the read lock.
/// Opening and closing take the write lock, and so wait for the calls.
pub(crate) type Slot = Arc<RwLock<Option<OpenSession>>>;

impl Sessions {
    /// Returns the slot of a session, and the slots that must be closed: those that were not used
    /// for `idle` and, if there are `most`, the least recently used one.
    pub(crate) fn slot(
        &self,
        id: &str,
        idle: Duration,
        most: usize,
    ) -> Result<(Slot, Vec<Slot>), BridgeError> {
        check_id(id)?;
        let mut sessions = self.0.lock();
        let used = Instant::now();
        if let Some(entry) = sessions.get_mut(id) {
            entry.used = used;
            return Ok((entry.slot.clone(), Vec::new()));
        }
        let mut closed = take_idle(&mut sessions, idle);
        if sessions.len() >= most {
            let unused = sessions.iter().filter(|(_, entry)| entry.is_unused());
            let oldest = unused.min_by_key(|(_, entry)| entry.used);
            let oldest = oldest.map(|(id, _)| id.clone());
            let oldest = oldest.ok_or(BridgeError::TooManySessions { most })?;
            closed.extend(sessions.remove(&oldest).map(|entry| entry.slot));
        }
        let slot = Slot::default();
        let entry = Entry {
            slot: slot.clone(),
            used,
        };
        sessions.insert(id.to_owned(), entry);
        Ok((slot, closed))
    }

    /// Returns the slot of a session, if it has one.
    pub(crate) fn get(&self, id: &str) -> Option<Slot> {
        let mut sessions = self.0.lock();
        let entry = sessions.get_mut(id)?;
        entry.used = Instant::now();
        Some(entry.slot.clone())
    }

    /// Removes and returns the slot of a session that is not in use. The caller must close it.
    pub(crate) fn take_free(&self, id: &str) -> Free {
        let mut sessions = self.0.lock();
        match sessions.get(id) {
            None => Free::NotOpen,
            Some(entry) if !entry.is_free() => Free::InUse,
            Some(_) => sessions
                .remove(id)
                .map_or(Free::NotOpen, |entry| Free::Taken(entry.slot)),
        }
    }

    /// Removes and returns the slots that were not used for `idle`. The caller must close them.
    pub(crate) fn take_idle(&self, idle: Duration) -> Vec<Slot> {
        take_idle(&mut self.0.lock(), idle)
    }

    /// Returns the slots of all sessions, with their ids.
    pub(crate) fn all(&self) -> Vec<(String, Slot)> {
        let sessions = self.0.lock();
        let slots = sessions.iter();
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
        let mut sessions = self.0.lock();
        let is_this = |entry: &Entry| Arc::ptr_eq(&entry.slot, &slot);
        // The map has one reference, and this is the other: no call can open the session now. One
        // may have opened it before.
        let is_unused = Arc::strong_count(&slot) == 2;
        let is_empty = slot.try_read().is_ok_and(|place| place.is_none());
        if sessions.get(id).is_some_and(is_this) && is_unused && is_empty {
            sessions.remove(id);
        }
        closed
    }

    pub(crate) fn len(&self) -> usize {
        self.0.lock().len()
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
    let closing = tokio::spawn(async move {
        let mut place = slot.write_owned().await;
        match place.take() {
            Some(open) => open.close(within).await,
            None => Ok(()),
        }
    });
    closing.map(|closed| match closed.map_err(JoinError::try_into_panic) {
        Ok(closed) => closed,
        Err(Ok(panic)) => resume_unwind(panic),
        Err(Err(_)) => Err(BridgeError::NotClosed),
    })
}

fn take_idle(sessions: &mut HashMap<String, Entry>, idle: Duration) -> Vec<Slot> {
    let now = Instant::now();
    let is_idle = |_: &String, entry: &mut Entry| {
        // A question that is not answered within that time does not keep the session open.
        now.duration_since(entry.used) >= idle && entry.is_free()
    };
    let idle = sessions.extract_if(is_idle);
    idle.map(|(_, entry)| entry.slot).collect()
}
