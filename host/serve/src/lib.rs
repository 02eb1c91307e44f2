//! A daemon that holds the hooks of a directory, for agents in other processes and languages.
//!
//! [`Listening`] is a set of sockets, and [`Listening::serve`] answers requests on them until it is stopped: on a Unix
//! socket, for processes of the same user, and over TCP, for clients that have the token. Each point is a path; the
//! bodies are the JSON of [`portcullis_bridge`]. Hook events of other agents are paths too; [`client`] sends them for
//! `portcullis hook`. `GET /openapi.json` describes all paths.
//!
//! # Rules
//!
//! - An error is never a decision: its status is not 200, and a caller that guards something must not proceed.
//! - Status 503 means that nothing was begun. A client that sends `Expect: 100-continue` knows that nothing was begun
//!   until it has sent the body.
//! - Bodies, calls, connections and sessions are bounded, and so is the time to send a request ([`portcullis_access`]).
//! - When the server is stopped, calls that have begun are answered, and all sessions are saved.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `options`, `place`, `api` | limits; the identity of a daemon, and its files; bodies and errors |
//! | `token` | the token |
//! | `listen`, `events` | the addresses to listen on; hook events, one after the other |
//! | `socket`, `openapi`, [`client`] | the Unix socket; the description; a client without a runtime |
//! | `listening`, `service` | the sockets; the paths |
//! | `server` | the server, and its end |

#![deny(unsafe_code)]

mod api;
#[cfg(unix)]
pub mod client;
mod events;
mod listen;
mod listening;
mod openapi;
mod options;
mod place;
mod server;
mod service;
#[cfg(unix)]
mod socket;
mod token;

pub use api::{ErrorReply, Health, PointRequest};
pub use listen::{Listen, ListenError};
pub use listening::Listening;
pub use openapi::document as openapi;
pub use options::ServeOptions;
pub use place::{DaemonId, make as make_directory, private_log};
pub use server::Serving;
