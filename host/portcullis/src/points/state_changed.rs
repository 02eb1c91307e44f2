//! `state-changed`: a tool changed the agent's state.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::state_changed::{Outcome, StateChange};

telling! {
    /// The point `state-changed`.
    StateChanged of StateChange: "diff", Order::Forward, FailureRule::Fails
}
