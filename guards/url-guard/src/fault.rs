//! The reasons for refusing an address.

use std::fmt::{self, Display, Formatter};

/// The reason for refusing an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It cannot be parsed, or has a scheme with which tools are tricked.
    Scheme(String),
    /// Its host is not one that may be reached.
    Host(String),
    /// It is private.
    Private(String),
    /// It looks like another address.
    Disguised(String),
    /// It exfiltrates data.
    Data(String),
}

impl Fault {
    /// Returns the code of a refusal.
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
