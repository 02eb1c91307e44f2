//! `grants.http`: one line for each server, as an operator reads it.
//!
//! ```text
//! GET https://api.example.com
//! POST https://hooks.example.com:8443/v1/audit
//! GET,POST http://policy.internal:8181 at 10.0.0.0/8
//! ```

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::str::FromStr;

use http::Method;
use ipnet::IpNet;
use serde::{Serialize, Serializer};
use url::Url;

use super::path;
use crate::contract::text::{nearest, sanitize_for_terminal};

/// The methods that can be granted. `CONNECT` makes a tunnel, and `TRACE` shows what was sent.
const METHODS: [Method; 7] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// A server that a hook may send requests to: the methods, the name, the port and the addresses.
/// All other requests are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRule {
    pub(super) methods: Vec<Method>,
    pub(super) server: Server,
    /// The start of allowed paths. `None`: any path.
    pub(super) path: Option<String>,
    /// The addresses that the name may resolve to. Empty: any address of the public internet.
    pub(super) at: Vec<IpNet>,
}

/// The target of a request, before any name is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    pub(super) scheme: Scheme,
    pub(super) host: Host,
    pub(super) port: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Http,
    Https,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Host {
    /// A name, in lower case.
    Name(String),
    /// An address, never an IPv4 address embedded in an IPv6 address.
    Address(IpAddr),
}

impl Scheme {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    pub(super) const fn port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    pub(super) fn of(name: &str) -> Option<Self> {
        [Self::Http, Self::Https]
            .into_iter()
            .find(|scheme| scheme.name() == name)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(address)) => address.fmt(f),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

impl Server {
    /// Returns the value of the header `host`.
    pub(super) fn authority(&self) -> String {
        match self.port == self.scheme.port() {
            true => self.host.to_string(),
            false => format!("{}:{}", self.host, self.port),
        }
    }
}

impl HttpRule {
    /// Returns the server, with its port unless that is the scheme's default.
    pub fn server(&self) -> String {
        self.server.authority()
    }
}

impl fmt::Display for HttpRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let methods: Vec<&str> = self.methods.iter().map(Method::as_str).collect();
        let Server { scheme, .. } = self.server;
        let authority = self.server.authority();
        let path = self.path.as_deref().unwrap_or_default();
        write!(
            f,
            "{} {}://{authority}{path}",
            methods.join(","),
            scheme.name()
        )?;
        let at: Vec<String> = self.at.iter().map(range).collect();
        match at.is_empty() {
            true => Ok(()),
            false => write!(f, " at {}", at.join(",")),
        }
    }
}

/// Returns the text of a range, or of the only address in it.
fn range(range: &IpNet) -> String {
    match range.prefix_len() == range.max_prefix_len() {
        true => range.addr().to_string(),
        false => range.to_string(),
    }
}

impl Serialize for HttpRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// An error in a line of `grants.http`, and the fix.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HttpRuleError(String);

fn wrong<T>(problem: impl Into<String>) -> Result<T, HttpRuleError> {
    Err(HttpRuleError(problem.into()))
}

impl FromStr for HttpRule {
    type Err = HttpRuleError;

    fn from_str(text: &str) -> Result<Self, HttpRuleError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (verbs, address, places) = match words.as_slice() {
            [verbs, address] => (*verbs, *address, None),
            [verbs, address, "at", places] => (*verbs, *address, Some(*places)),
            [address] if address.contains("://") => {
                return wrong(format!(
                    "names no methods; write them before it: \"GET {address}\" or \"GET,POST {address}\""
                ));
            }
            _ => {
                return wrong(
                    "is no grant; write methods, a URL and, where the server is not on the public internet, its address: \"GET,POST https://policy.internal:8443 at 10.0.0.0/8\"",
                );
            }
        };
        let methods = verbs.split(',').map(method).collect::<Result<_, _>>()?;
        let (server, path) = server(address)?;
        let at = match (places, &server.host) {
            (None, _) => Vec::new(),
            (Some(_), Host::Address(_)) => {
                return wrong("names an address already; take `at` away");
            }
            (Some(places), Host::Name(_)) => places
                .split(',')
                .map(place)
                .collect::<Result<_, HttpRuleError>>()?,
        };
        Ok(Self {
            methods,
            server,
            path,
            at,
        })
    }
}

fn method(name: &str) -> Result<Method, HttpRuleError> {
    if let Some(method) = METHODS.iter().find(|method| method.as_str() == name) {
        return Ok(method.clone());
    }
    let names = || METHODS.iter().map(Method::as_str);
    let name = sanitize_for_terminal(name);
    match nearest(&name.to_ascii_uppercase(), names()) {
        Some(near) => wrong(format!("`{name}` is no method; did you mean `{near}`?")),
        None => wrong(format!(
            "`{name}` is no method that can be granted; there are: {}",
            names().collect::<Vec<_>>().join(", ")
        )),
    }
}

fn server(text: &str) -> Result<(Server, Option<String>), HttpRuleError> {
    let url = Url::parse(text).map_err(|e| {
        HttpRuleError(format!(
            "is no URL ({e}); write it as in \"GET https://api.example.com:8443/v1\""
        ))
    })?;
    let Some(scheme) = Scheme::of(url.scheme()) else {
        return wrong(format!(
            "has the scheme `{}`; only https can be granted, and http",
            sanitize_for_terminal(url.scheme())
        ));
    };
    if !url.username().is_empty() || url.password().is_some() {
        return wrong(
            "holds a user or a password; grant the hook a secret, which it sends in a header",
        );
    }
    if url.query().is_some() || url.fragment().is_some() {
        return wrong("holds a query or a fragment; a grant ends with the path");
    }
    let host = match url.host() {
        Some(url::Host::Domain(name)) if name.contains('*') => {
            return wrong("names servers by `*`; name each one in full");
        }
        Some(url::Host::Domain(name)) => Host::Name(name.to_owned()),
        Some(url::Host::Ipv4(address)) => Host::Address(address.into()),
        Some(url::Host::Ipv6(address)) => Host::Address(IpAddr::V6(address).to_canonical()),
        None => return wrong("names no server; write it as in \"GET https://api.example.com\""),
    };
    if let Host::Address(address) = host
        && !is_of_a_server(address)
    {
        return wrong(format!(
            "names {address}, which is no server's address; name the server's own"
        ));
    }
    let path = url.path().trim_end_matches('/');
    if !path::is_unambiguous(path) {
        return wrong(
            "names a path that servers read in different ways; write it without `;` at the beginning of a name, and without encoded dots, slashes and percent signs",
        );
    }
    let server = Server {
        scheme,
        host,
        port: url.port().unwrap_or(scheme.port()),
    };
    Ok((server, (!path.is_empty()).then(|| path.to_owned())))
}

/// Returns whether an address can belong to a server at all.
fn is_of_a_server(address: IpAddr) -> bool {
    let broadcast = address == IpAddr::V4(Ipv4Addr::BROADCAST);
    !(address.is_unspecified() || address.is_multicast() || broadcast)
}

fn place(text: &str) -> Result<IpNet, HttpRuleError> {
    let address = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse::<IpNet>().or_else(|_| address()).or_else(|_| {
        wrong(format!(
            "`{}` is no address and no range; write `at 10.1.2.3` or `at 10.0.0.0/8`",
            sanitize_for_terminal(text)
        ))
    })
}
