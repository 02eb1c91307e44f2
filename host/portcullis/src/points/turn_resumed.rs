//! `turn-resumed`: a suspended turn goes on.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::turn_resumed::{Outcome, Resumption};

telling! {
    /// The point `turn-resumed`.
    TurnResumed of Resumption: "checkpoint", Order::Forward, FailureRule::NeverFatal
}
