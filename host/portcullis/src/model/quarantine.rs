//! Quarantines that processes share.

use futures::future::BoxFuture;

use crate::model::failure::Cause;
use crate::model::state::StateStoreError;
use crate::model::verdict::Digest;

/// A component that is left alone in every process that shares the store, and that loads it under the same settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedQuarantine {
    /// The hook.
    pub hook: String,
    /// The component.
    pub component: Digest,
    /// Its limits, its grants and its configuration.
    pub settings: Digest,
    /// How often it failed in a row, in the process that found it failing.
    pub failures: u32,
    /// How it failed last.
    pub cause: Cause,
    /// When it is tried again, in milliseconds since the Unix epoch.
    pub until_ms: u64,
}

/// A store of quarantines, such as a database. It may fail at any time: processes ask again.
pub trait QuarantineStore: Send + Sync + std::fmt::Debug {
    /// All quarantines.
    fn list(&self) -> BoxFuture<'_, Result<Vec<SharedQuarantine>, StateStoreError>>;

    /// Adds a quarantine, or changes that of the same hook, component and settings; the later end counts.
    fn put(&self, quarantine: SharedQuarantine) -> BoxFuture<'_, Result<(), StateStoreError>>;

    /// Removes the quarantine of this hook, component and settings.
    fn remove<'a>(
        &'a self,
        quarantine: &'a SharedQuarantine,
    ) -> BoxFuture<'a, Result<(), StateStoreError>>;
}
