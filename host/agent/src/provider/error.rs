//! Failures of providers.

use std::time::Duration;

use portcullis::points::llm_error::ProviderErrorKind;
use serde::{Deserialize, Serialize};

/// A failed model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}{}: {message}", kind_name(*kind), status_text(*status))]
pub struct ProviderError {
    /// The kind of failure. Retries depend on it, never on the message.
    pub kind: ProviderErrorKind,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// The wait that the provider asks for.
    pub retry_after: Option<Duration>,
    /// The provider's message, with control characters escaped and cut at 2,000 bytes.
    pub message: String,
}

impl ProviderError {
    /// Creates an error of this kind, without a status.
    pub fn new(kind: ProviderErrorKind, message: impl AsRef<str>) -> Self {
        Self {
            kind,
            status: None,
            retry_after: None,
            message: portcullis::text::sanitize_for_terminal(message.as_ref()),
        }
    }

    /// Sets the HTTP status.
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Sets the wait that the provider asks for.
    pub fn with_retry_after(mut self, retry_after: Option<Duration>) -> Self {
        self.retry_after = retry_after;
        self
    }

    /// Returns whether the same call may succeed later.
    pub fn is_temporary(&self) -> bool {
        match self.kind {
            ProviderErrorKind::Timeout
            | ProviderErrorKind::RateLimited
            | ProviderErrorKind::Overloaded
            | ProviderErrorKind::Network
            | ProviderErrorKind::Server => true,
            ProviderErrorKind::Auth
            | ProviderErrorKind::BadRequest
            | ProviderErrorKind::ContextLength
            | ProviderErrorKind::Other => false,
        }
    }
}

/// Every kind with its name in WIT.
const KINDS: [(ProviderErrorKind, &str); 9] = [
    (ProviderErrorKind::Timeout, "timeout"),
    (ProviderErrorKind::RateLimited, "rate-limited"),
    (ProviderErrorKind::Overloaded, "overloaded"),
    (ProviderErrorKind::Auth, "auth"),
    (ProviderErrorKind::BadRequest, "bad-request"),
    (ProviderErrorKind::ContextLength, "context-length"),
    (ProviderErrorKind::Network, "network"),
    (ProviderErrorKind::Server, "server"),
    (ProviderErrorKind::Other, "other"),
];

pub(super) fn kind_name(kind: ProviderErrorKind) -> &'static str {
    KINDS
        .iter()
        .find(|(known, _)| *known == kind)
        .map_or("other", |(_, name)| name)
}

pub(super) fn kind_from_name(name: &str) -> Option<ProviderErrorKind> {
    KINDS
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(kind, _)| *kind)
}

/// Returns the names of all kinds, for messages.
pub(super) fn kind_names() -> String {
    KINDS.map(|(_, name)| name).join(", ")
}

fn status_text(status: Option<u16>) -> String {
    status.map_or_else(String::new, |status| format!(" (HTTP {status})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_kind_and_status_and_escapes_the_rest() {
        let error = ProviderError::new(ProviderErrorKind::RateLimited, "slow\u{1b}[31m down")
            .with_status(429);
        assert_eq!(
            error.to_string(),
            "rate-limited (HTTP 429): slow\\u{1b}[31m down"
        );
        assert!(error.is_temporary());
    }

    #[test]
    fn names_go_both_ways() {
        for (kind, name) in KINDS {
            assert_eq!(kind_from_name(kind_name(kind)), Some(kind), "{name}");
        }
        assert_eq!(kind_from_name("overload"), None);
    }
}
