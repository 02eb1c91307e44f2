//! The time at which the journal has the start of a hook's runs.

use serde::Serialize;

/// The time at which the embedder's journal has the start of a hook's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WriteRun {
    /// The answer counts at once. A crash may lose the record of the run.
    #[default]
    AfterAnswer,
    /// The answer counts once the journal has the start of the run. If the journal fails, the call
    /// fails.
    BeforeAnswer,
}
