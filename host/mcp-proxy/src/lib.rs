//! Portcullis hooks between an MCP client and an MCP server.
//!
//! A tool call passes `pre-tool-call`, the server and `post-tool-call`. A list of tools passes `prompt-policy` and
//! `prompt-tools`. A report of progress passes `tool-update`. The session starts with the client's first message and ends
//! with the connection. Everything else is passed on byte for byte, in both directions; only line breaks become spaces.
//!
//! [`relay`] relays between two connections: over standard streams with [`transport::over`], to a
//! server that [`transport::spawn`] starts, or to a streamable HTTP server with
//! [`transport::connect`].
//!
//! # Rules
//!
//! - Nothing fails open. A message that cannot be read, or that two programs could read in two ways, is not passed on: it
//!   is answered with an error. So is a call whose hooks, or whose relay, fail.
//! - Each message that is sent is one line. On standard streams a line break would begin another, which no hook has seen.
//! - A message without an id is passed on only if its method is that of a notification. A server may run a call without one.
//! - A refusal is a result with `isError`, which the model can read. A failure of the relay is a JSON-RPC error.
//! - Only answers to requests that the client made reach the client.
//! - The bytes of a value that hooks did not change stay the same. If hooks changed a value, the
//!   bytes of its other fields stay the same.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `message` | messages, of which only the needed parts are parsed |
//! | [`transport`], `hooks`, `result` | connections; the points; results as text |
//! | `relay`, [`listen`] | the two directions, and the calls between them; clients over streamable HTTP |

#![deny(unsafe_code)]

mod hooks;
pub mod listen;
mod message;
mod relay;
mod result;
pub mod transport;

pub use hooks::{HookOptions, POINTS};
pub use message::Fragment;
pub use relay::{RelayEnd, relay};
