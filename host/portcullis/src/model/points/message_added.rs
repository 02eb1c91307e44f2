//! `message-added`: a message was added to the conversation; it is the current content.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};
use crate::contract::Role;

pub use crate::contract::bindings::portcullis::hooks::message_added_facts::AddedMessage;

telling! {
    /// The point `message-added`.
    MessageAdded of AddedMessage: "message", Order::Forward, FailureRule::Fails
}

facts! {
    MessageAdded: message_added_facts, AddedMessage {
        index: u32,
        role: Role,
        parts: u32,
        text_bytes: u32,
    }
}
