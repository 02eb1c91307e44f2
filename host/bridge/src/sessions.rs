//! The sessions that are open, by id.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::OnceCell;

use crate::error::BridgeError;
use crate::session::OpenSession;

/// The most bytes of a session's id.
pub(crate) const LONGEST_ID: usize = 256;

/// The sessions that are open.
#[derive(Default)]
pub(crate) struct Sessions(Mutex<HashMap<String, Entry>>);

struct Entry {
    slot: Arc<OnceCell<OpenSession>>,
    used: Instant,
}

/// A session while a call uses it.
pub(crate) type Slot = Arc<OnceCell<OpenSession>>;

impl Sessions {
    /// The place of a session, which is empty if it is not open. Gives also the sessions that must be
    /// closed: those that were not used for `idle`, and the one that was used longest ago if there are
    /// `most`.
    pub(crate) fn slot(
        &self,
        id: &str,
        idle: Duration,
        most: usize,
    ) -> Result<(Slot, Vec<Slot>), BridgeError> {
        let good = 1..=LONGEST_ID;
        if !good.contains(&id.len()) || id.chars().any(char::is_control) {
            return Err(BridgeError::BadSessionId { most: LONGEST_ID });
        }
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

    /// Removes the sessions that were not used for `idle`, and gives them to be closed.
    pub(crate) fn take_idle(&self, idle: Duration) -> Vec<Slot> {
        take_idle(&mut self.0.lock(), idle)
    }

    /// Removes a session.
    pub(crate) fn take(&self, id: &str) -> Option<Slot> {
        self.0.lock().remove(id).map(|entry| entry.slot)
    }

    /// Removes all sessions.
    pub(crate) fn take_all(&self) -> Vec<Slot> {
        let mut sessions = self.0.lock();
        sessions.drain().map(|(_, entry)| entry.slot).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.lock().len()
    }
}

impl Entry {
    /// Whether no call uses it, and no question of it waits.
    fn is_unused(&self) -> bool {
        let waits = self.slot.get().is_some_and(|open| !open.pending.is_empty());
        Arc::strong_count(&self.slot) == 1 && !waits
    }
}

fn take_idle(sessions: &mut HashMap<String, Entry>, idle: Duration) -> Vec<Slot> {
    let now = Instant::now();
    let is_idle = |_: &String, entry: &mut Entry| {
        // A question that nobody answered for that long does not keep the session open.
        now.duration_since(entry.used) >= idle && Arc::strong_count(&entry.slot) == 1
    };
    let idle = sessions.extract_if(is_idle);
    idle.map(|(_, entry)| entry.slot).collect()
}
