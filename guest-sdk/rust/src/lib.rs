//! Write Portcullis hooks in Rust.
//!
//! A hook is one impl block with a method for each lifecycle point it serves, under one
//! attribute. The component exports those points, and imports what the code uses and nothing else:
//! the facts and views that it reads, the answers that it gives, and the capabilities that it reaches.
//!
//! ```
//! use portcullis_sdk::prelude::*;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Config {
//!     /// The words that no message may contain.
//!     blocked: Vec<String>,
//! }
//!
//! struct WordFilter;
//!
//! #[hook(
//!     id = "word-filter",
//!     description = "Refuses turns that contain a blocked word.",
//!     priority = 10,
//!     config = Config
//! )]
//! impl WordFilter {
//!     fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
//!         let config: Config = config()?;
//!         let text = content::text();
//!         Ok(match config.blocked.iter().find(|word| text.contains(*word)) {
//!             Some(word) => {
//!                 info!(word = %word, "blocked a turn");
//!                 call.reject("blocked-word", "The message was blocked.")
//!             }
//!             None => call.proceed(),
//!         })
//!     }
//! }
//! ```
//!
//! The crate is a `cdylib` (and an `rlib`, for its tests), built with
//! `cargo build --release --target wasm32-wasip2`. The file goes into the hooks directory, and
//! its settings into `hooks.toml`:
//!
//! ```toml
//! [hooks.word-filter.config]
//! blocked = ["frobnicate"]
//! ```
//!
//! With `config = Config` the component gives the schema of `Config`, its doc comments included. The host then finds a
//! wrong configuration when it loads the hook, and `portcullis hooks inspect` shows what may be configured. It also shows
//! examples, which `portcullis build` checks against the schema:
//!
//! ```
//! use portcullis_sdk::prelude::*;
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! #[schemars(extend("examples" = [{ "blocked": ["password", "secret"] }]))]
//! struct Config {
//!     /// The words that no message may contain.
//!     #[schemars(example = ["password"])]
//!     blocked: Vec<String>,
//! }
//! ```
//!
//! # Calls
//!
//! A method is given its point's `Call`, such as [`pre_turn::Call`](points::pre_turn::Call).
//!
//! - A fact is a method of the call: `call.name()`. Each is one call of the host, so a hook that reads more than four
//!   takes all of them with `call.facts()`.
//! - An answer is a method of the call: `call.reject(code, reason)`. It is given at once, and what the method
//!   returns is the [`Verdict`](points::Verdict) that the handler must return. At most one answer is given in a call.
//!   Without one, the handler returns `call.proceed()`.
//! - A contribution is a method of the call: `call.add_note(code, data)`. There may be any number, and then
//!   `call.proceed()`.
//!
//! An answer that no code gives is not linked. So the role of a hook follows from its code: a hook that can change or
//! replace something is a `transform`, any other that can refuse, ask or stop is a `gate`, and the rest are `observe`.
//!
//! # Modules
//!
//! | module | contents |
//! | --- | --- |
//! | [`points`] | one module for each lifecycle point: its call, its facts and its answers |
//! | [`context`], [`mod@config`], [`log`] | available to every hook |
//! | [`content`], [`conversation`], [`tool_data`], [`tool_catalog`], [`prompt`], [`agent_state`], [`session`], [`verdict`] | views of the current call, valid while it lasts |
//! | [`state`], [`shared`], [`agent_state_edit`], [`events`], [`secrets`], [`model`], [`http`] | granted by the operator |
//! | [`testing`] | a stand-in for the host, for unit tests |
//!
//! # Errors
//!
//! An [`Error`] says that the hook could not do its work. It is never a refusal: a refusal is an
//! answer. `?` converts any standard error to one. A handler that returns an error has answered with it, so code
//! that can fail comes before an answer or a contribution.
//!
//! # Tests
//!
//! A hook compiles natively, and its handlers can be called there, with [`testing::Host`] in place of the host:
//!
//! ```
//! # use portcullis_sdk::prelude::*;
//! # struct WordFilter;
//! # #[hook(id = "word-filter", description = "Refuses turns that contain a blocked word.")]
//! # impl WordFilter {
//! #     fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
//! #         let word = config::get("blocked")?.unwrap_or_default();
//! #         Ok(match content::text().contains(&word) {
//! #             true => call.reject("blocked-word", "The message was blocked."),
//! #             false => call.proceed(),
//! #         })
//! #     }
//! # }
//! use portcullis_sdk::testing::Host;
//!
//! # fn main() -> HookResult<()> {
//! let host = Host::new()
//!     .config(serde_json::json!({ "blocked": "frobnicate" }))
//!     .text("Please frobnicate it.");
//! let answer = host.call(WordFilter::pre_turn, pre_turn::Facts::default())?;
//! assert!(matches!(answer, pre_turn::Outcome::Reject { code, .. } if code == "blocked-word"));
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//!
//! `serde` gives the contract's types and each point's `Outcome` a JSON form with the contract's names, such as
//! `{"reject": {"code": "blocked-word", "reason": "The message was blocked."}}`.

pub mod agent_state;
pub mod agent_state_edit;
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
pub mod model;
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
pub use schemars;

/// Makes a component of an impl block with a method for each point the hook serves.
///
/// A method has the point's name and takes the point's call:
/// `fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict>`.
/// Other functions go in another impl block. One crate holds one hook.
///
/// The arguments are the author's declaration; the operator's `hooks.toml` overrides it.
///
/// | argument | value | if left out |
/// | --- | --- | --- |
/// | `id` | lower-case letters, digits and dashes | required |
/// | `description` | one sentence on what the hook does | required |
/// | `kind` | a word for what sort of hook it is | `"hook"` |
/// | `priority` | an `i32`, low first | the host's, 100 |
/// | `failure` | `open` (as if it had continued) or `closed` (as if it had refused) | `open` for a hook that only observes, else `closed` |
/// | `deadline_ms` | the time limit of a call, in milliseconds | the host's |
/// | `execution` | `blocking`, `deadline`, `fire_and_record` or `background` | `blocking` |
/// | `after` | `["id", …]`, the hooks that must run before it | none |
/// | `config` | the type that the configuration is read as, which derives [`JsonSchema`](schemars::JsonSchema) | the host cannot check the configuration |
///
/// The version is the crate's. The answers of the hook are not declared: they follow from the code.
pub use portcullis_sdk_macros::hook;

/// Calls a macro with the method names of all points, for a hook that serves every point. Points that are added to the
/// contract later are included:
///
/// ```
/// use portcullis_sdk::prelude::*;
///
/// struct Tally;
///
/// macro_rules! serve {
///     ($($point:ident)*) => {
///         #[hook(id = "tally", description = "Counts the calls at each point.")]
///         impl Tally {
///             $(fn $point(call: &$point::Call) -> HookResult<$point::Verdict> {
///                 state::increment(stringify!($point), 1)?;
///                 Ok(call.proceed())
///             })*
///         }
///     };
/// }
/// portcullis_sdk::every_point!(serve);
/// ```
pub use portcullis_sdk_macros::every_point;
