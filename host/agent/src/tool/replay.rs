//! The replay of a tool run whose process died.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a durable turn treats a tool run that began in a process that died, and whose result is not
/// recorded. A recorded result is always used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Replay {
    /// It is run again: a second run changes nothing that the first has not changed.
    Safe,
    /// It is run again under the same [key](crate::ToolRun::key), by which the tool knows the first run.
    Keyed,
    /// It is run again only if a person says so. Otherwise the model learns that its result is unknown.
    #[default]
    Never,
}
