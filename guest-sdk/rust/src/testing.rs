//! Unit tests of a hook, with a native stand-in for the host.
//!
//! A test gives the stand-in its data, calls a handler with the facts of a call, and compares the answer.
//!
//! ```
//! use portcullis_sdk::prelude::*;
//!
//! struct NoRm;
//!
//! #[hook(id = "no-rm", description = "Refuses the tool `rm`.")]
//! impl NoRm {
//!     fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
//!         if call.name() == "rm" {
//!             return Ok(call.reject("no-rm", "Not here."));
//!         }
//!         state::increment("calls", 1)?;
//!         Ok(call.proceed())
//!     }
//! }
//!
//! // In a test:
//! use portcullis_sdk::testing::Host;
//!
//! fn tool(name: &str) -> pre_tool_call::Facts {
//!     pre_tool_call::Facts { name: name.into(), ..Default::default() }
//! }
//!
//! # fn main() -> HookResult<()> {
//! let host = Host::new();
//! let answer = host.call(NoRm::pre_tool_call, tool("rm"))?;
//! assert!(matches!(answer, pre_tool_call::Outcome::Reject { code, .. } if code == "no-rm"));
//!
//! let answer = host.call(NoRm::pre_tool_call, tool("ls"))?;
//! assert_eq!(answer, pre_tool_call::Outcome::Continue);
//! assert_eq!(host.state("calls")?, Some(1));
//! # Ok(())
//! # }
//! ```
//!
//! A stand-in is active while its [`Host::call`] or [`Host::run`] runs, on the same thread. Outside of them every view
//! is empty, and the writes of hooks are kept for the thread.

mod current;
pub(crate) mod fakes;
mod host;
mod store;
mod world;

pub use host::Host;
pub use world::{Event, LogLine};

pub(crate) use current::{answer, contribute, facts};

use std::any::Any;

/// A lifecycle point, for the stand-in. Each point's `Call` implements it.
pub trait Point: Sized {
    /// The facts.
    type Facts: Clone + Any;
    /// The answer.
    type Outcome: Any;
    /// A contribution.
    type Contribution: Any;

    #[doc(hidden)]
    fn new() -> Self;

    #[doc(hidden)]
    fn nothing() -> Self::Outcome;

    #[doc(hidden)]
    fn contributed(all: Vec<Self::Contribution>) -> Self::Outcome;
}

#[cfg(test)]
mod tests;
