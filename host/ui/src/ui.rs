//! The store, and the continuation of turns.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis_access::{TokenError, listen_fix};
use portcullis_agent::{CheckpointError, CheckpointId};
use portcullis_store::{Journal, JournalError, Store, StoreError};

/// The turn to continue.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Continued {
    /// A suspended turn, whose calls have their answers.
    Suspended(CheckpointId),
    /// The turn of this session, which was interrupted.
    Interrupted(String),
}

/// Continues turns.
pub trait Continue: Send + Sync + 'static {
    /// Continues a turn, and waits until it has ended or is suspended again. The error is a text with the reason why
    /// the turn was not continued.
    fn continued(&self, turn: Continued) -> BoxFuture<'static, Result<(), String>>;
}

/// The content of a server. Cheap to clone.
#[derive(Clone)]
pub struct Ui(Arc<Inner>);

struct Inner {
    store: Store,
    journal: Journal,
    person: String,
    continues: Box<dyn Continue>,
    continued: Mutex<HashMap<String, Progress>>,
}

/// The progress of a turn that was continued here, by its session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Progress {
    /// The turn runs.
    Runs,
    /// The turn could not be continued.
    Failed(String),
}

/// An error of the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UiError {
    /// The address is not a loopback address.
    #[error(
        "{0} is not an address of loopback, and pages are not encrypted; use 127.0.0.1 or [::1]"
    )]
    NotLoopback(SocketAddr),
    /// The system refuses the address.
    #[error("cannot listen on {address}: {cause}{}", listen_fix(cause))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        cause: io::Error,
    },
    /// The system gives no random bytes for a token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The suspended turns cannot be read.
    #[error(transparent)]
    Checkpoints(#[from] CheckpointError),
}

impl Ui {
    /// Creates a view of a store. `person` is the name that the journal notes for answers.
    ///
    /// # Errors
    ///
    /// The journal cannot be opened.
    pub fn new(
        store: Store,
        person: impl Into<String>,
        continues: impl Continue,
    ) -> Result<Self, UiError> {
        Ok(Self(Arc::new(Inner {
            journal: store.journal()?,
            store,
            person: person.into(),
            continues: Box::new(continues),
            continued: Mutex::default(),
        })))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn journal(&self) -> &Journal {
        &self.0.journal
    }

    /// Reads the journal, off the async threads.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, UiError> {
        let journal = self.0.journal.clone();
        let read = tokio::task::spawn_blocking(move || read(&journal)).await;
        Ok(read.map_err(|_| JournalError::Stopped)??)
    }

    pub(crate) fn person(&self) -> &str {
        &self.0.person
    }

    /// Returns the progress of this session's turn that was continued here.
    pub(crate) fn progress(&self, session: &str) -> Option<Progress> {
        self.0.continued.lock().get(session).cloned()
    }

    /// Continues a turn of this session in the background, unless one is being continued.
    pub(crate) fn start(&self, session: &str, turn: Continued) -> bool {
        let mut continued = self.0.continued.lock();
        if continued.get(session) == Some(&Progress::Runs) {
            return false;
        }
        continued.insert(session.to_owned(), Progress::Runs);
        drop(continued);
        let (ui, session) = (self.clone(), session.to_owned());
        tokio::spawn(async move {
            let ended = ui.0.continues.continued(turn).await;
            let mut continued = ui.0.continued.lock();
            match ended {
                Ok(()) => continued.remove(&session),
                Err(why) => continued.insert(session, Progress::Failed(why)),
            };
        });
        true
    }
}

impl std::fmt::Debug for Ui {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ui").field(&self.0.store).finish()
    }
}
