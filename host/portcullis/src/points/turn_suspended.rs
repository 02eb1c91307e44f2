//! `turn-suspended`: a turn waits for something from outside; its checkpoint is kept.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::turn_suspended::{
    Outcome, SuspendReason, Suspension,
};

telling! {
    /// The point `turn-suspended`.
    TurnSuspended of Suspension: "reason, pending", Order::Forward, FailureRule::NeverFatal
}
