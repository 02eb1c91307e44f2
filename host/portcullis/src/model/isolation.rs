//! The lifetime of instances.

use serde::Serialize;

/// The lifetime of a hook's instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// The session: data that the hook keeps in memory is there in the next call, unless the
    /// instance trapped, or was evicted because the host needed its memory or its memory mappings
    /// for others ([`EngineOptions::memory_bytes`](crate::limits::EngineOptions::memory_bytes),
    /// [`EngineOptions::memory_mappings`](crate::limits::EngineOptions::memory_mappings)).
    #[default]
    Session,
    /// One call: nothing remains of the instance.
    Call,
    /// The host: sessions take turns with a few instances, and a hook in one session can read the
    /// data that it kept in memory in another. It is for hooks that keep nothing and want to start
    /// once. Data that they keep through `state` still belongs to the session.
    Shared,
}
