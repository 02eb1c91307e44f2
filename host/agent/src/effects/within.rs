//! The numbers of the events that are emitted within an effect.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

/// Where in a recorded turn something was told. An effect that is done again, because its process died before it was
/// recorded, tells all of it again, with the next `attempt`: the events of the effect in an earlier attempt do not count
/// any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Within {
    /// The run of the turn: the same in all processes that it takes, and of no other turn.
    pub run: Arc<str>,
    /// The effect, such as a model call, by its place in the turn.
    pub effect: Arc<str>,
    /// How often the turn was begun or continued when this was told, counted from 1.
    pub attempt: u32,
    /// Its number within the effect and the attempt, counted from 0, without gaps.
    pub seq: u64,
}
