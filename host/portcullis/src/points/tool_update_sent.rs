//! `tool-update-sent`: a running tool's update was shown; it is the content in hand.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::tool_update_sent::{Outcome, ToolProgress};

telling! {
    /// The point `tool-update-sent`.
    ToolUpdateSent of ToolProgress: "progress text", Order::Forward, FailureRule::Fails
}
