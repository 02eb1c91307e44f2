//! `session-end`: a session ends, for any reason.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Usage;

pub use crate::contract::bindings::portcullis::hooks::session_end_facts::{
    EndReason, SessionSummary,
};

telling! {
    /// The point `session-end`.
    SessionEnd of SessionSummary: "end reason", Order::Forward, FailureRule::NeverFatal
}

facts! {
    SessionEnd: session_end_facts, SessionSummary {
        reason: EndReason,
        turns: u32,
        usage: Usage,
    }
}
