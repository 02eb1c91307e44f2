//! Write Portcullis hooks in Rust.
//!
//! A hook is one impl block with a method for each lifecycle point it serves, under one
//! attribute. The component exports those points and nothing else, and imports the capabilities
//! the code uses and nothing else.
//!
//! ```
//! use portcullis_sdk::prelude::*;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct Config {
//!     blocked: Vec<String>,
//! }
//!
//! struct WordFilter;
//!
//! #[hook(
//!     id = "word-filter",
//!     description = "Refuses turns that contain a blocked word.",
//!     role = gate,
//!     priority = 10
//! )]
//! impl WordFilter {
//!     fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
//!         let config: Config = config()?;
//!         let text = content::text();
//!         Ok(match config.blocked.iter().find(|word| text.contains(*word)) {
//!             Some(word) => {
//!                 info!(word = %word, "blocked a turn");
//!                 pre_turn::Outcome::reject("blocked-word", "The message was blocked.")
//!             }
//!             None => pre_turn::Outcome::Continue,
//!         })
//!     }
//! }
//! ```
//!
//! The crate is a `cdylib` (and an `rlib`, for its tests), built with
//! `cargo build --release --target wasm32-wasip2`. The file goes into the hooks directory, and
//! what the operator says of it into `hooks.toml`:
//!
//! ```toml
//! [hooks.word-filter.config]
//! blocked = ["frobnicate"]
//! ```
//!
//! # Modules
//!
//! | module | what it gives |
//! | --- | --- |
//! | [`points`] | one module for each lifecycle point: its input and its [outcomes](points) |
//! | [`mod@config`], [`log`] | what every hook may use |
//! | [`content`], [`conversation`], [`tool_data`], [`tool_catalog`], [`prompt`], [`agent_state`], [`session`], [`verdict`] | views of the call in hand, valid while it lasts |
//! | [`state`], [`shared`], [`events`], [`secrets`], [`http`] | what the operator grants |
//!
//! # Errors
//!
//! An [`Error`] says that the hook could not do its work; it is never a refusal, which is an
//! outcome. `?` makes one of any standard error.
//!
//! # Tests
//!
//! A hook compiles natively and its logic can be tested there. What is imported exists only in a
//! component: natively, calling it panics.

pub mod agent_state;
mod bindings;
pub mod config;
pub mod content;
pub mod context;
pub mod conversation;
pub mod descriptor;
mod error;
pub mod events;
pub mod http;
mod imports;
pub mod log;
pub mod points;
pub mod prelude;
pub mod prompt;
pub mod secrets;
pub mod session;
pub mod shared;
pub mod state;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
pub mod tool_catalog;
pub mod tool_data;
pub mod types;
pub mod verdict;

pub use config::config;
pub use error::{Error, HookResult};

/// Makes a component of an impl block with a method for each point the hook serves.
///
/// A method has the point's name and takes the [`Context`](types::Context) and the point's input:
/// `fn pre_turn(context: Context, input: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome>`.
/// Other functions go in another impl block. One crate holds one hook.
///
/// What the hook says of itself are its author's wishes; the operator's `hooks.toml` wins.
///
/// | argument | value | if left out |
/// | --- | --- | --- |
/// | `id` | lower-case letters, digits and dashes | required |
/// | `description` | one sentence on what the hook does | required |
/// | `role` | `gate` (continues or refuses), `transform` (may answer anything), `observe` (looks on) | required |
/// | `kind` | a word for what sort of hook it is | `"hook"` |
/// | `priority` | an `i32`, low first | the host's, 100 |
/// | `failure` | `open` (as if it had continued) or `closed` (as if it had refused) | by role: `open` for `observe`, else `closed` |
/// | `deadline_ms` | how long a call may take, in milliseconds | the host's |
/// | `execution` | `blocking`, `deadline`, `fire_and_record` or `background` | `blocking` |
/// | `after` | `["id", …]`, the hooks that must run before it | none |
/// | `contributes` | `[policy, context, section, tools, note, job]`, those that it may answer with | none |
///
/// The version is the crate's.
pub use portcullis_sdk_macros::hook;
