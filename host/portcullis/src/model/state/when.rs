//! When a hook's own state is written to the store.

use serde::Serialize;

/// When a hook's own state is written to the host's store, if the host has one. Shared state is always
/// written before the answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteState {
    /// The answer counts at once. A crash loses the calls since the last write.
    #[default]
    AfterAnswer,
    /// The answer counts once the store has committed what the call wrote. If the store fails, the
    /// call fails.
    BeforeAnswer,
    /// Its state is in memory alone.
    Never,
}
