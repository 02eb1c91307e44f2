//! The numbers of the events that are emitted within an effect.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

/// The place of an event in a recorded turn. If a process dies before an effect is recorded, the effect is done again,
/// and its events are emitted again with the next `attempt`. The events of the effect in an earlier attempt do not count
/// any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Within {
    /// The run of the turn: the same in all processes that it takes, and of no other turn.
    pub run: Arc<str>,
    /// The effect, such as a model call, by its place in the turn.
    pub effect: Arc<str>,
    /// How often the turn was begun or continued when the event was emitted, counted from 1.
    pub attempt: u32,
    /// Its number within the effect and the attempt, counted from 0, without gaps.
    pub seq: u64,
}
