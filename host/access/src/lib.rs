//! Who may use a Portcullis server over TCP.
//!
//! Every process of the machine can connect to a port of loopback, and so can a page in its user's browser. So a
//! request must have the server's [`Token`], and [`Access`] refuses the requests of pages.

#![deny(unsafe_code)]

mod access;
mod token;

pub use access::{Access, Pages, Refused};
pub use token::{Token, TokenError};
