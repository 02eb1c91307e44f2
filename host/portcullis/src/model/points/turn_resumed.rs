//! `turn-resumed`: a suspended turn continues.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::contract::bindings::portcullis::hooks::turn_resumed_facts::Resumption;

telling! {
    /// The point `turn-resumed`.
    TurnResumed of Resumption: "checkpoint", Order::Forward, FailureRule::NeverFatal
}

facts! {
    TurnResumed: turn_resumed_facts, Resumption {
        checkpoint: String,
        resolved: Vec<String>,
        waited_ms: u64,
        steps: u32,
    }
}
