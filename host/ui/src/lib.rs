//! The activity of agents and their hooks, live in a browser.
//!
//! [`Ui`] reads a store that other processes write, shows its sessions and each session as
//! [`portcullis_explain`] explains it, and sends updates to open pages. The questions of suspended
//! turns are answered in the page, and a [`Continue`] then continues the turn.
//!
//! # Rules
//!
//! - The server listens on loopback alone. The token's holder may read everything in the store, and
//!   answer.
//! - The token is in the fragment of the address that is opened, which browsers do not send; the page sends it once, in
//!   a header, and gets a cookie that no script and no other site can use. Requests that change something need a second
//!   token too, which is in the page.
//! - Texts of hooks, models and people are inert: they are escaped, and the policy of each page allows its own style and
//!   script by their digests and nothing else.
//! - A question is answered once. A turn that another process has open is left to that process.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `ui` | the store and the continuation of turns |
//! | `page`, `failed` | documents; errors |
//! | `door`, `row` | access control; a session in the list |
//! | `waits` | the questions of a session |
//! | `list`, `session`, `answer` | the list's content; a session page's content; people's actions |
//! | `live` | updates to open pages |
//! | `server` | the paths, and the server's end |

#![deny(unsafe_code)]

mod answer;
mod door;
mod failed;
mod list;
mod live;
mod page;
mod row;
mod server;
mod session;
mod ui;
mod waits;

pub use server::{Listening, Serving};
pub use session::explain;
pub use ui::{Continue, Continued, Ui, UiError};
