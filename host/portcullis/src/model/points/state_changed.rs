//! `state-changed`: a tool changed the agent's state.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::contract::bindings::portcullis::hooks::state_changed_facts::StateChange;

telling! {
    /// The point `state-changed`.
    StateChanged of StateChange: "diff", Order::Forward, FailureRule::Fails
}

facts! {
    StateChanged: state_changed_facts, StateChange {
        tool: String,
        call_id: String,
        keys: Vec<String>,
    }
}
