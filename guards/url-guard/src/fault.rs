//! Why an address is refused.

use std::fmt::{self, Display, Formatter};

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
