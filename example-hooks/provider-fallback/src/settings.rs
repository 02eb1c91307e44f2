//! The operator's table.

use portcullis_sdk::schemars::{self, JsonSchema};
use std::collections::BTreeMap;

use portcullis_sdk::points::llm_error::ProviderErrorKind;
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The providers to call, in order; the agent's own order if empty.
    pub order: Vec<String>,
    /// The first wait, in milliseconds.
    pub backoff_ms: u32,
    /// The longest wait, in milliseconds.
    pub longest_wait_ms: u32,
    /// The kinds of failure that another call would not fix.
    pub give_up_on: Vec<Kind>,
    /// The number of times to call the same provider again, by the kind of failure.
    pub retries: BTreeMap<Kind, u32>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            backoff_ms: 500,
            longest_wait_ms: 20_000,
            give_up_on: vec![Kind::BadRequest, Kind::ContextLength],
            retries: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Returns how often to call the same provider again after a failure of this kind.
    pub fn retries(&self, kind: Kind) -> u32 {
        self.retries.get(&kind).copied().unwrap_or(match kind {
            Kind::RateLimited | Kind::Overloaded => 2,
            Kind::Timeout | Kind::Network | Kind::Server => 1,
            Kind::Auth | Kind::BadRequest | Kind::ContextLength | Kind::Other => 0,
        })
    }
}

/// A kind of failure, as the table writes it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Timeout,
    RateLimited,
    Overloaded,
    Auth,
    BadRequest,
    ContextLength,
    Network,
    Server,
    Other,
}

impl From<ProviderErrorKind> for Kind {
    fn from(kind: ProviderErrorKind) -> Self {
        match kind {
            ProviderErrorKind::Timeout => Self::Timeout,
            ProviderErrorKind::RateLimited => Self::RateLimited,
            ProviderErrorKind::Overloaded => Self::Overloaded,
            ProviderErrorKind::Auth => Self::Auth,
            ProviderErrorKind::BadRequest => Self::BadRequest,
            ProviderErrorKind::ContextLength => Self::ContextLength,
            ProviderErrorKind::Network => Self::Network,
            ProviderErrorKind::Server => Self::Server,
            ProviderErrorKind::Other => Self::Other,
        }
    }
}
