//! The time at which a hook's own state is written to the store.

use serde::Serialize;

/// The time at which a hook's own state is written to the host's store, if the host has one. Shared
/// state is always written before the answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteState {
    /// The answer counts at once. A crash loses the calls since the last write.
    #[default]
    AfterAnswer,
    /// The answer counts once the store has committed the call's writes. If the store fails, the
    /// call fails.
    BeforeAnswer,
    /// The state is in memory alone.
    Never,
}
