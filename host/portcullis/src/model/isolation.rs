//! The lifetime of instances.

use serde::Serialize;

/// The lifetime of a hook's instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// One instance for each session. Its memory stays until the next call, unless the instance
    /// trapped, or was evicted because the host needed its memory or its memory mappings for others
    /// ([`EngineOptions::memory_bytes`](crate::limits::EngineOptions::memory_bytes),
    /// [`EngineOptions::memory_mappings`](crate::limits::EngineOptions::memory_mappings)).
    #[default]
    Session,
    /// One instance for each call. Nothing remains of it.
    Call,
    /// A few instances for all sessions of the host. A hook in one session can read the data that
    /// it kept in memory in another. For hooks that keep nothing and should start only once. Data
    /// that they keep through `state` still belongs to the session.
    Shared,
}
