//! Access control for Portcullis servers, and limits on what a client may use.
//!
//! Every process of the machine can connect to a loopback port, and so can a page in its user's
//! browser. A request over TCP must therefore carry the server's [`Token`], and [`Access`] refuses
//! requests from pages: [`guard`] checks both before a body is read. A client that may connect
//! could still send nothing, or open connections without end: [`Connections`] and [`read_body`]
//! bound both. A request that is not carried out is answered with [`Failed`].

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
