//! The store of hooks' state beyond the process.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::model::quarantine::QuarantineStore;

/// A store that keeps hooks' state beyond the process, such as a database.
///
/// Several processes may use one store. An error means that no part of the operation was kept. An
/// operation must end by itself within seconds, since no limit of a hook ends it.
pub trait StateStore: Send + Sync + std::fmt::Debug {
    /// Reads the private state of a session.
    fn private<'a>(
        &'a self,
        session: &'a str,
    ) -> BoxFuture<'a, Result<Vec<PrivateEntry>, StateStoreError>>;

    /// Reads the value at a key of a shared namespace.
    fn get<'a>(
        &'a self,
        namespace: &'a str,
        key: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, StateStoreError>>;

    /// Reads the keys of a shared namespace and the lengths of their values, in bytes.
    fn sizes<'a>(
        &'a self,
        namespace: &'a str,
    ) -> BoxFuture<'a, Result<BTreeMap<String, usize>, StateStoreError>>;

    /// Reads a key of a shared namespace and edits it, in one transaction: no other process writes
    /// the namespace in between. Returns the last input of `edit`, which may be called more than
    /// once.
    fn update<'a>(
        &'a self,
        namespace: &'a str,
        key: &'a str,
        edit: EditKey,
    ) -> BoxFuture<'a, Result<Current, StateStoreError>>;

    /// Returns the store of quarantines for all processes that use the store. Default `None`: each
    /// process has its own quarantines.
    fn quarantines(&self) -> Option<&dyn QuarantineStore> {
        None
    }

    /// Writes all of the writes or none, in one transaction. If this process may not write the
    /// private state of one of the sessions, the error is [`StateStoreError::lost`].
    fn write<'a>(&'a self, writes: &'a Writes) -> BoxFuture<'a, Result<(), StateStoreError>>;
}

/// A failure of the store of hooks' state, or its refusal to open a session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StateStoreError(Arc<Kind>);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum Kind {
    #[error("the store of hooks' state failed: {0}")]
    Failed(String),
    #[error("the session `{0}` is open in this process already; end it before it is opened again")]
    AlreadyOpen(String),
    #[error("the store of hooks' state failed: {cause}")]
    Lost { session: String, cause: String },
}

impl StateStoreError {
    /// Creates an error with this cause. The failed writes are tried again.
    pub fn new(cause: impl std::fmt::Display) -> Self {
        Self(Arc::new(Kind::Failed(cause.to_string())))
    }

    /// Creates the error for a session that is already open in this process.
    pub(crate) fn already_open(session: &str) -> Self {
        Self(Arc::new(Kind::AlreadyOpen(session.to_owned())))
    }

    /// Creates the error for private state of a session that this process may not write, for
    /// example because another process has the session open. It is not tried again.
    pub fn lost(session: &str, cause: impl std::fmt::Display) -> Self {
        Self(Arc::new(Kind::Lost {
            session: session.to_owned(),
            cause: cause.to_string(),
        }))
    }

    /// Returns the session whose private state this process may not write, if that is the cause.
    pub fn session(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Lost { session, .. } => Some(session),
            Kind::Failed(_) | Kind::AlreadyOpen(_) => None,
        }
    }

    /// Returns whether the session is already open in this process. It can be opened again after it
    /// is closed.
    pub fn is_already_open(&self) -> bool {
        matches!(*self.0, Kind::AlreadyOpen(_))
    }
}

/// A key of private state, with its owner.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivateKey {
    /// The session's id.
    pub session: Arc<str>,
    /// The number of the agent, 0 for the outermost: a sub-agent's session has its parents' hooks
    /// too.
    pub agent: u32,
    /// The hook's id.
    pub hook: Arc<str>,
    /// The key. A hook chose it, so it may contain any character.
    pub key: String,
}

/// A key and a value of a session's private state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateEntry {
    /// The number of the agent, 0 for the outermost.
    pub agent: u32,
    /// The hook's id.
    pub hook: String,
    /// The key.
    pub key: String,
    /// The value.
    pub value: Vec<u8>,
}

/// A key of a shared namespace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedKey {
    /// The namespace.
    pub namespace: Arc<str>,
    /// The key. A hook chose it, so it may contain any character.
    pub key: String,
}

/// The writes for a store. `None` deletes the key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writes {
    /// Keys of sessions' private state.
    pub private: Vec<(PrivateKey, Option<Vec<u8>>)>,
    /// Keys of shared namespaces, in order.
    pub shared: Vec<(SharedKey, Option<Vec<u8>>)>,
}

/// A key of a shared namespace within a transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Current {
    /// The key's value.
    pub value: Option<Vec<u8>>,
    /// All keys of the namespace, with the lengths of their values in bytes.
    pub sizes: BTreeMap<String, usize>,
}

/// A function that chooses the edit of a key.
pub type EditKey = Arc<dyn Fn(&Current) -> Edit + Send + Sync>;

/// The edit of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// The key stays as it is.
    Keep,
    /// The key gets this value.
    Put(Vec<u8>),
    /// The key is deleted.
    Delete,
}

impl From<Option<Vec<u8>>> for Edit {
    fn from(value: Option<Vec<u8>>) -> Self {
        value.map_or(Self::Delete, Self::Put)
    }
}
