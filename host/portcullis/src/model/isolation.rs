//! How long instances live.

use serde::Serialize;

/// How long an instance of a hook lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// As long as the session: what it keeps in memory is there in the next call, unless the instance
    /// trapped, or was evicted because the host needed its memory or its memory mappings for others
    /// ([`EngineOptions::memory_bytes`](crate::limits::EngineOptions::memory_bytes),
    /// [`EngineOptions::memory_mappings`](crate::limits::EngineOptions::memory_mappings)).
    #[default]
    Session,
    /// One call: nothing is left of it.
    Call,
    /// As long as the host: sessions take turns with a few instances, and what a hook keeps in memory
    /// of one session it can read in another. For hooks that keep nothing and want to start once.
    /// What they remember through `state` still belongs to the session.
    Shared,
}
