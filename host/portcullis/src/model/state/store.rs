//! Where hooks' state is kept beyond the process.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;

use crate::model::quarantine::QuarantineStore;

/// A store that keeps hooks' state beyond the process, such as a database.
///
/// Several processes may use one store. An error means that nothing of the operation was kept, and an
/// operation gives up by itself within seconds: no limit of a hook ends it.
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

    /// Reads a key of a shared namespace and edits it, in one transaction: no other process writes the
    /// namespace in between. Gives what `edit` was last called with; it may be called more than once.
    fn update<'a>(
        &'a self,
        namespace: &'a str,
        key: &'a str,
        edit: EditKey,
    ) -> BoxFuture<'a, Result<Current, StateStoreError>>;

    /// Where quarantines are kept for all processes that use the store; nowhere by default: each process has its own.
    fn quarantines(&self) -> Option<&dyn QuarantineStore> {
        None
    }

    /// Writes all of it or nothing, in one transaction. If this process may not write the private state
    /// of one of the sessions, the error is [`StateStoreError::lost`].
    fn write<'a>(&'a self, writes: &'a Writes) -> BoxFuture<'a, Result<(), StateStoreError>>;
}

/// The store of hooks' state failed, or it does not open a session.
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
    /// An error with this cause. What was to be written is tried again.
    pub fn new(cause: impl std::fmt::Display) -> Self {
        Self(Arc::new(Kind::Failed(cause.to_string())))
    }

    /// The error that a session is open in this process already.
    pub(crate) fn already_open(session: &str) -> Self {
        Self(Arc::new(Kind::AlreadyOpen(session.to_owned())))
    }

    /// The error that this process may not write the private state of a session, such as one that
    /// another process has open. It is not tried again.
    pub fn lost(session: &str, cause: impl std::fmt::Display) -> Self {
        Self(Arc::new(Kind::Lost {
            session: session.to_owned(),
            cause: cause.to_string(),
        }))
    }

    /// The session whose private state this process may not write, if that is the cause.
    pub fn session(&self) -> Option<&str> {
        match &*self.0 {
            Kind::Lost { session, .. } => Some(session),
            Kind::Failed(_) | Kind::AlreadyOpen(_) => None,
        }
    }

    /// Whether the session is open in this process already: it can be opened once it is closed.
    pub fn is_already_open(&self) -> bool {
        matches!(*self.0, Kind::AlreadyOpen(_))
    }
}

/// Whose private state it is, and where in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivateKey {
    /// The session's id.
    pub session: Arc<str>,
    /// Which agent's hooks, 0 for the outermost: a sub-agent's session has its parents' hooks too.
    pub agent: u32,
    /// The hook's id.
    pub hook: Arc<str>,
    /// The key. A hook chose it: it may hold any character.
    pub key: String,
}

/// A key and a value of a session's private state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateEntry {
    /// Which agent's hooks, 0 for the outermost.
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
    /// The key. A hook chose it: it may hold any character.
    pub key: String,
}

/// What is to be written. No value means that the key is deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Writes {
    /// Keys of sessions' private state.
    pub private: Vec<(PrivateKey, Option<Vec<u8>>)>,
    /// Keys of shared namespaces, in order.
    pub shared: Vec<(SharedKey, Option<Vec<u8>>)>,
}

/// A key of a shared namespace as it is within a transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Current {
    /// The key's value.
    pub value: Option<Vec<u8>>,
    /// All keys of the namespace, with the lengths of their values in bytes.
    pub sizes: BTreeMap<String, usize>,
}

/// Decides what becomes of a key.
pub type EditKey = Arc<dyn Fn(&Current) -> Edit + Send + Sync>;

/// What becomes of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It stays as it is.
    Keep,
    /// It gets this value.
    Put(Vec<u8>),
    /// It is deleted.
    Delete,
}

impl From<Option<Vec<u8>>> for Edit {
    fn from(value: Option<Vec<u8>>) -> Self {
        value.map_or(Self::Delete, Self::Put)
    }
}
