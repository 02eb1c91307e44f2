//! Quarantines that processes share.

use futures::future::BoxFuture;

use crate::model::failure::Cause;
use crate::model::state::StateStoreError;
use crate::model::verdict::Digest;

/// A component in quarantine. It is not called in any process that shares the store and loads it
/// under the same settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedQuarantine {
    /// The hook.
    pub hook: String,
    /// The component.
    pub component: Digest,
    /// The digest of the component's limits, grants and configuration.
    pub settings: Digest,
    /// The number of failures in a row, in the process that quarantined the component.
    pub failures: u32,
    /// The last cause of failure.
    pub cause: Cause,
    /// The time of the next attempt, in milliseconds since the Unix epoch.
    pub until_ms: u64,
}

/// A store of quarantines, such as a database. It may fail at any time: processes retry.
pub trait QuarantineStore: Send + Sync + std::fmt::Debug {
    /// Returns all quarantines.
    fn list(&self) -> BoxFuture<'_, Result<Vec<SharedQuarantine>, StateStoreError>>;

    /// Adds a quarantine, or changes the one with the same hook, component and settings; the later
    /// end counts.
    fn put(&self, quarantine: SharedQuarantine) -> BoxFuture<'_, Result<(), StateStoreError>>;

    /// Removes the quarantine of this hook, component and settings.
    fn remove<'a>(
        &'a self,
        quarantine: &'a SharedQuarantine,
    ) -> BoxFuture<'a, Result<(), StateStoreError>>;
}
