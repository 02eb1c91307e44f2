//! The sessions of all clients, by id.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::mpsc;

use super::session::Session;
use crate::transport::Connection;

/// The sessions.
pub(super) struct Sessions {
    open: Arc<Mutex<Open>>,
    accept: mpsc::Sender<Connection>,
    most: usize,
}

type Open = HashMap<String, Arc<Session>>;

impl Sessions {
    pub(super) fn new(accept: mpsc::Sender<Connection>, most: usize) -> Self {
        Self {
            open: Arc::default(),
            accept,
            most,
        }
    }

    /// Begins a session. `None` if there are too many, or if the listener accepts no more.
    pub(super) async fn begin(&self) -> Option<(String, Arc<Session>)> {
        let id = new_id()?;
        let connection = {
            let mut open = self.open.lock();
            if open.len() >= self.most {
                let unused = open
                    .iter()
                    .filter_map(|(id, session)| Some((session.unused_since()?, id)));
                let oldest = unused.min()?.1.clone();
                remove(&mut open, &oldest);
            }
            let (ended, own) = (Arc::downgrade(&self.open), id.clone());
            let (session, connection) = Session::begin(move || forget(&ended, &own));
            open.insert(id.clone(), session);
            connection
        };
        self.accept.send(connection).await.ok()?;
        let session = self.get(&id)?;
        Some((id, session))
    }

    pub(super) fn get(&self, id: &str) -> Option<Arc<Session>> {
        self.open.lock().get(id).cloned()
    }

    /// Ends a session. Returns `false` if it does not exist.
    pub(super) fn end(&self, id: &str) -> bool {
        remove(&mut self.open.lock(), id)
    }
}

fn remove(open: &mut Open, id: &str) -> bool {
    let session = open.remove(id);
    session.is_some_and(|session| {
        session.end();
        true
    })
}

/// Removes a session whose relay has ended.
fn forget(open: &Weak<Mutex<Open>>, id: &str) {
    if let Some(open) = open.upgrade() {
        remove(&mut open.lock(), id);
    }
}

/// Returns an id that cannot be guessed.
fn new_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}
