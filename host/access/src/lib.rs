//! Who may use a Portcullis server, and how much of it.
//!
//! Every process of the machine can connect to a port of loopback, and so can a page in its user's browser. So a
//! request over TCP must have the server's [`Token`], and [`Access`] refuses the requests of pages: [`guard`] checks it
//! before a body is read. Whoever may connect could still send nothing, or open connections without end:
//! [`Connections`] and [`read_body`] bound both. What is not done is answered with [`Failed`].

#![deny(unsafe_code)]

mod access;
mod connections;
mod failed;
mod limits;
mod listening;
mod requests;
mod token;

pub use access::{Access, Pages, Refused};
pub use connections::{Accept, Connections};
pub use failed::Failed;
pub use limits::ConnectionLimits;
pub use listening::listen_fix;
pub use requests::{BodyError, guard, read_body};
pub use token::{Token, TokenError};
