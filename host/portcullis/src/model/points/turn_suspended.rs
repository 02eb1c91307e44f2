//! `turn-suspended`: a turn waits for something from outside; its checkpoint is kept.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::contract::bindings::portcullis::hooks::turn_suspended_facts::{
    SuspendReason, Suspension,
};

telling! {
    /// The point `turn-suspended`.
    TurnSuspended of Suspension: "reason, pending", Order::Forward, FailureRule::NeverFatal
}

facts! {
    TurnSuspended: turn_suspended_facts, Suspension {
        reason: SuspendReason,
        checkpoint: String,
        pending: Vec<String>,
        partial: bool,
        steps: u32,
    }
}
