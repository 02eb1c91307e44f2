//! `session-end`: a session ends, however it ends.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::session_end::{
    EndReason, Outcome, SessionSummary,
};

telling! {
    /// The point `session-end`.
    SessionEnd of SessionSummary: "end reason", Order::Forward, FailureRule::NeverFatal
}
