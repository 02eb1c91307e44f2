//! The requests that a hook's rules allow, and the addresses that a name may resolve to.

use std::net::IpAddr;

use http::Method;

use super::super::path;
use super::super::rule::{Host, HttpRule, Scheme, Server};
use super::address;

/// The reason why a request is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Denied {
    Server,
    Method,
    Path,
}

impl Denied {
    pub(super) const fn why(self) -> &'static str {
        match self {
            Self::Server => "the server was not granted",
            Self::Method => "the method was not granted for this server",
            Self::Path => "the path was not granted for this server",
        }
    }
}

/// Returns the rule that allows a request; or the reason why it is denied.
pub(super) fn allowing<'a>(
    rules: &'a [HttpRule],
    server: &Server,
    method: &Method,
    path: &str,
) -> Result<&'a HttpRule, Denied> {
    let mut denied = Denied::Server;
    for rule in rules.iter().filter(|rule| rule.server == *server) {
        denied = match (rule.methods.contains(method), rule.covers(path)) {
            (true, true) => return Ok(rule),
            (true, false) => Denied::Path,
            (false, _) if denied == Denied::Path => Denied::Path,
            (false, _) => Denied::Method,
        };
    }
    Err(denied)
}

impl Server {
    /// Returns the server of a guest's URI. `None` if the URI contains a user or a password, which
    /// no request needs.
    pub(super) fn of(uri: &http::Uri) -> Option<Self> {
        let authority = uri.authority()?;
        if authority.as_str().contains('@') {
            return None;
        }
        let scheme = Scheme::of(uri.scheme_str()?)?;
        Some(Self {
            scheme,
            host: Host::of(authority.host()),
            port: authority.port_u16().unwrap_or(scheme.port()),
        })
    }

    /// Returns the address of a guest's URI on this server, in the one form that a responder
    /// receives.
    pub(super) fn address(&self, uri: &http::Uri) -> Option<http::Uri> {
        let path = uri.path_and_query().map_or("/", |path| path.as_str());
        let address = format!("{}://{}{path}", self.scheme.name(), self.authority());
        address.parse().ok()
    }
}

impl Host {
    /// Reads a host as written in a URI.
    fn of(text: &str) -> Self {
        let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        match bare.unwrap_or(text).parse::<IpAddr>() {
            Ok(address) => Self::Address(address.to_canonical()),
            Err(_) => Self::Name(text.to_ascii_lowercase()),
        }
    }
}

impl HttpRule {
    /// Returns whether a path is the rule's own or below it. False for a path that servers could
    /// interpret in different ways.
    fn covers(&self, path: &str) -> bool {
        let Some(own) = &self.path else {
            return true;
        };
        if !path::is_unambiguous(path) {
            return false;
        }
        match path.strip_prefix(own.as_str()) {
            Some(rest) => rest.is_empty() || rest.starts_with('/'),
            None => false,
        }
    }

    /// Returns whether the server may have an address: one that the rule names, or else a public
    /// one.
    pub(super) fn may_be_at(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        match (&self.server.host, self.at.as_slice()) {
            (Host::Address(named), _) => *named == address,
            (Host::Name(_), []) => address::is_public(address),
            (Host::Name(_), at) => at.iter().any(|range| range.contains(&address)),
        }
    }
}

#[cfg(test)]
mod tests;
