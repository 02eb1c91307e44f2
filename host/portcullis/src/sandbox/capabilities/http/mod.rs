//! `wasi:http/outgoing-handler`: requests to the servers that a hook was granted.
//!
//! The grants are known in every build. The client is in builds with the feature `http`.

#[cfg(feature = "http")]
mod client;
#[cfg(not(feature = "http"))]
#[path = "without_client.rs"]
mod client;
mod path;
mod rule;

use super::capability::named;
use super::{Access, Capability, Key, Permission};

pub(super) use client::is_small;
pub(crate) use client::{Egress, Http};
pub(crate) use path::is_unambiguous;
pub use rule::{HttpRule, HttpRuleError};

/// The key of grants.
const KEY: &str = "http";

/// The error for TLS that cannot be set up for a hook that may send requests.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// Certificates that the operator trusts cannot be read.
    #[error(
        "may send requests, and the certificates in {path} cannot be read ([http] roots): {why}"
    )]
    Authority {
        /// The file.
        path: String,
        /// The reason, and the fix.
        why: String,
    },
    /// TLS cannot be set up.
    #[error("may send requests, and TLS does not start: {0}")]
    Setup(String),
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::Required(&[Key::list(KEY, "GET https://<server>", |grants| {
        grants.http.iter().map(ToString::to_string).collect()
    })]),
    access: Access::Reach,
    needs_feature: match cfg!(feature = "http") {
        true => None,
        false => Some("http"),
    },
    sends: |grants| {
        let servers: Vec<String> = grants.http.iter().map(HttpRule::server).collect();
        (!servers.is_empty()).then(|| named("servers", &servers))
    },
    waits: |_| true,
    open: client::open,
    notes_use: true,
    ..Capability::new(
        &["wasi:http/outgoing-handler", "wasi:http/types"],
        "send requests to the servers that it was granted",
        client::link,
    )
};
