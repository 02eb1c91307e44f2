//! Durable turns on many machines: the agents of [`portcullis_agent`] on [Restate](https://restate.dev).
//!
//! A [`Worker`] serves one agent to a Restate server. A session is a virtual object, whose key is the session's id, so
//! its turns run one after another, on any worker. A segment of a turn, from the user's input or a resumption to the
//! output or a suspension, is one invocation. The journal of the invocation is the record of the turn: if a worker
//! dies, the server gives the invocation to another worker.
//!
//! The loop is the one of [`portcullis_agent`], and does not depend on Restate: the journal is a
//! [`TurnStore`](portcullis_agent::TurnStore), so the runtime that takes values from a record and does the rest is
//! [`Local`](portcullis_agent::Local). Conversations, hooks' state and suspended turns are in the store
//! ([`portcullis_store`]), which all workers share.
//!
//! A [`Client`] sends turns to the server, each under a key of its own: a request that is repeated is the same turn.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `message` | the messages between client and worker |
//! | `client`, `feed`, `log`, `invocation` | the client; events for the requester; the record of a turn; an invocation as the server sees it |
//! | `segment` | running a segment on an agent |
//! | `object` | the handlers of a session |
//! | `worker` | the server of workers |

mod client;
mod feed;
mod invocation;
mod log;
mod message;
mod object;
mod segment;
mod worker;

pub use client::{Client, ClientError};
pub use feed::Repeats;
pub use message::{Outcome, ResumeRequest, TurnRequest, service_name};
pub use worker::{Worker, WorkerError, register};
