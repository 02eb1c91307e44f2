//! The headers of a message over HTTP.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::message::{Id, Incoming, Kind, Message, VERSION_KEY, fields, string};

/// The header of the session's id.
pub(super) const SESSION: &str = "mcp-session-id";
/// The header of the protocol version.
pub(super) const VERSION: &str = "mcp-protocol-version";
/// The header of the last event, for resuming a stream.
pub(super) const LAST_EVENT: &str = "last-event-id";

/// The facts about a message that its headers repeat.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) method: String,
    /// Whether the server answers the message: it is a request, or a batch with a request.
    pub(super) is_answered: bool,
    /// The id of a request.
    pub(super) id: Option<Id>,
    /// The message's own protocol version; since version 2026-07-28 each request has one.
    pub(super) version: Option<String>,
    /// The request that the message cancels.
    pub(super) cancels: Option<Id>,
    name: Option<String>,
}

impl Sent {
    /// Reads a message. For a batch, only `is_answered` is set.
    pub(super) fn read(text: &str) -> Self {
        let message = match Incoming::parse(text.to_owned()) {
            Ok(Incoming::One(message)) => message,
            Ok(Incoming::Batch(_, messages)) => {
                return Self {
                    is_answered: messages.iter().any(is_request),
                    ..Self::default()
                };
            }
            Err(_) => return Self::default(),
        };
        let (method, id) = match &message.kind {
            Kind::Request { id, method } => (method.clone(), Some(id.clone())),
            Kind::Notification { method } => (method.clone(), None),
            Kind::Answer { .. } => return Self::default(),
        };
        let value = |object: &str, key: &str| {
            let [value] = fields(object, [key]).ok()?;
            string(value?).ok()
        };
        let meta = fields(message.params(), ["_meta"]).ok();
        let version = meta.and_then(|[meta]| value(meta?, VERSION_KEY));
        let key = match method.as_str() {
            "tools/call" | "prompts/get" => Some("name"),
            "resources/read" | "resources/subscribe" | "resources/unsubscribe" => Some("uri"),
            "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
            _ => None,
        };
        let cancels = match method.as_str() {
            "notifications/cancelled" => fields(message.params(), ["requestId"]).ok(),
            _ => None,
        };
        Self {
            cancels: cancels.and_then(|[id]| Id::parse(id?).ok()?),
            name: key.and_then(|key| value(message.params(), key)),
            is_answered: id.is_some(),
            method,
            id,
            version,
        }
    }

    /// Returns the headers of a request that has its own version.
    pub(super) fn headers(&self) -> [(&'static str, Option<String>); 2] {
        let of_version = |value: Option<String>| value.filter(|_| self.version.is_some());
        let method = Some(self.method.clone()).filter(|method| !method.is_empty());
        [
            ("mcp-method", of_version(method.map(encoded))),
            ("mcp-name", of_version(self.name.clone().map(encoded))),
        ]
    }
}

fn is_request(message: &Message) -> bool {
    matches!(message.kind, Kind::Request { .. })
}

/// Returns the value, encoded if a header cannot hold it.
fn encoded(value: String) -> String {
    let is_plain = value.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && value.trim() == value
        && !value.starts_with("=?base64?");
    match is_plain {
        true => value,
        false => format!("=?base64?{}?=", BASE64_STANDARD.encode(value)),
    }
}
