//! `message-added`: a message was added to the conversation; it is the content in hand.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::message_added::{AddedMessage, Outcome};

telling! {
    /// The point `message-added`.
    MessageAdded of AddedMessage: "message", Order::Forward, FailureRule::Fails
}
