//! Looking at the addresses of a tool's call.

use std::fmt::{self, Display, Formatter};

use url::{Host, Url};

use crate::config::{Config, names_host};
use crate::{data, host};

/// The longest address that is looked at whole, in bytes.
const LONGEST: usize = 8 * 1024;
/// Schemes that reach servers in the ordinary way.
const SCHEMES: &[&str] = &["http", "https", "ws", "wss"];
/// Schemes that reach files, or servers in ways that tools are tricked with.
const ODD_SCHEMES: &[&str] = &[
    "file",
    "gopher",
    "dict",
    "ldap",
    "ldaps",
    "tftp",
    "jar",
    "netdoc",
    "ftp",
    "sftp",
    "smb",
    "phar",
    "view-source",
];
/// Arguments that hold a host without a scheme.
const HOSTS: &[&str] = &[
    "url", "urls", "uri", "host", "hostname", "address", "endpoint", "base_url", "webhook",
];

/// Why an address is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be read, or is in a scheme that tools are tricked with.
    Scheme(String),
    /// It is not on the list, or on the list of those that may not be reached.
    Host(String),
    /// It is private.
    Private(String),
    /// It looks like another.
    Disguised(String),
    /// It carries data away.
    Data(String),
}

impl Fault {
    /// The code of a refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Scheme(_) => "scheme",
            Self::Host(_) => "host",
            Self::Private(_) => "private-address",
            Self::Disguised(_) => "disguised-address",
            Self::Data(_) => "data-in-address",
        }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scheme(scheme) => {
                write!(f, "An address of the scheme `{scheme}` may not be used.")
            }
            Self::Host(host) => write!(f, "The server `{host}` may not be reached."),
            Self::Private(host) => write!(f, "`{host}` is a private address."),
            Self::Disguised(host) => write!(f, "`{host}` looks like another address than it is."),
            Self::Data(host) => write!(f, "The address at `{host}` carries data away."),
        }
    }
}

/// The first fault of the addresses in an argument.
pub fn argument(config: &Config, name: &str, text: &str) -> Option<Fault> {
    let addresses = addresses(text);
    if addresses.is_empty() && HOSTS.contains(&name) && !text.contains(char::is_whitespace) {
        let text = text.trim_start_matches('/');
        return address(config, &format!("http://{text}"));
    }
    addresses.into_iter().find_map(|said| address(config, said))
}

/// The addresses in a text.
pub fn addresses(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text
        .get(from..)
        .and_then(|rest| rest.find(':'))
        .map(|at| from + at)
    {
        let before = text.get(from..at).unwrap_or_default();
        let scheme = before
            .rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .next()
            .unwrap_or_default();
        let rest = text.get(at + 1..).unwrap_or_default();
        let is_address = rest.starts_with("//")
            || rest.starts_with(r"\\")
            || rest.starts_with(r"/\")
            || (SCHEMES.contains(&scheme.to_ascii_lowercase().as_str()) && rest.starts_with('/'));
        if is_address && !scheme.is_empty() {
            let ends = |letter: char| letter.is_whitespace() || "\"'<>`|;)]}".contains(letter);
            let start = at - scheme.len();
            // The brackets of an IPv6 address do not end it.
            let skipped = at
                + 1
                + rest
                    .find(']')
                    .filter(|end| {
                        rest.get(..*end)
                            .is_some_and(|host| host.contains('[') && !host.contains(ends_word))
                    })
                    .map_or(0, |end| end + 1);
            let end = text
                .get(skipped..)
                .and_then(|rest| rest.find(ends))
                .map_or(text.len(), |end| skipped + end);
            found.extend(text.get(start..end));
            from = end.max(at + 1);
        } else {
            from = at + 1;
        }
    }
    found
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || "\"'<>`".contains(letter)
}

/// The fault of an address.
pub fn address(config: &Config, said: &str) -> Option<Fault> {
    let scheme = said
        .split(':')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    if ODD_SCHEMES.contains(&scheme.as_str()) {
        return Some(Fault::Scheme(scheme));
    }
    if !SCHEMES.contains(&scheme.as_str()) {
        return None;
    }
    if said.len() > LONGEST {
        return Some(Fault::Data(said.chars().take(64).collect()));
    }
    let Ok(url) = Url::parse(said) else {
        return Some(Fault::Scheme(scheme));
    };
    let host = url.host()?;
    let name = host.to_string().trim_end_matches('.').to_owned();
    if names_host(&config.trusted, &name) {
        return None;
    }
    if names_host(&config.deny, &name)
        || (!config.allow.is_empty() && !names_host(&config.allow, &name))
    {
        return Some(Fault::Host(name));
    }
    let is_private = match &host {
        Host::Domain(domain) => host::is_local_name(domain.trim_end_matches('.')),
        Host::Ipv4(address) => host::is_private_v4(*address),
        Host::Ipv6(address) => host::is_private_v6(*address),
    };
    if config.private && is_private {
        return Some(Fault::Private(name));
    }
    let has_user = !url.username().is_empty() || url.password().is_some();
    if config.disguised && (has_user || host::is_disguised(said, &name)) {
        return Some(Fault::Disguised(name));
    }
    (config.data && data::is_carried(&url)).then_some(Fault::Data(name))
}
