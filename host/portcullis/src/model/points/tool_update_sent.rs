//! `tool-update-sent`: a running tool's update was shown; it is the current content.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::contract::bindings::portcullis::hooks::tool_update_sent_facts::ToolProgress;

telling! {
    /// The point `tool-update-sent`.
    ToolUpdateSent of ToolProgress: "progress text", Order::Forward, FailureRule::Fails
}

facts! {
    ToolUpdateSent: tool_update_sent_facts, ToolProgress {
        call_id: String,
        name: String,
        index: u32,
        text_bytes: u32,
    }
}
