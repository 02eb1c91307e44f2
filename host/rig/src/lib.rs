//! Portcullis hooks in a [rig](https://docs.rs/rig-core) agent: a rig hook that calls the hooks of
//! a directory.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use portcullis::LoadOptions;
//! use portcullis_bridge::{Bridge, BridgeOptions};
//! use portcullis_rig::PortcullisHook;
//! use rig_agent::AgentBuilder;
//! use rig_core::DynModel;
//! use rig_core::operation::Completion;
//!
//! # async fn example(model: DynModel<Completion>) -> Result<(), Box<dyn std::error::Error>> {
//! let bridge = Bridge::load(Path::new("hooks"), LoadOptions::default(), BridgeOptions::default())?;
//! let hook = PortcullisHook::start(Arc::new(bridge), "session-1").await?;
//! let agent = AgentBuilder::new(model).add_hook(hook.clone()).build();
//! println!("{}", agent.prompt("Write a note.").max_turns(8).await?);
//! hook.end().await?;
//! # Ok(())
//! # }
//! ```
//!
//! | of rig | point | a refusal |
//! | --- | --- | --- |
//! | the start of a run | `pre-turn` | ends the run with an error |
//! | a call of the model | `pre-llm-call` | ends the run with an error |
//! | the model's answer | `post-llm-call` | ends the run with an error |
//! | a call of a tool | `pre-tool-call` | is the result that the model reads |
//! | the result of a tool | `post-tool-call` | is the result that the model reads |
//! | an answer without tool calls, or by rig's output tool | `post-turn` | ends the run with an error |
//!
//! A decision that rig cannot express is refused: an answer in place of a turn or a model call, and
//! a tool message that a hook changed. If nothing can be decided, nothing goes ahead.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `error`, `message`, `output`, `run` | errors and refusals; messages of rig as those of the contract; which answer ends a turn; what is known of a run |
//! | `left`, `session` | what hooks left of messages, as those of rig; the calls of points |
//! | `model`, `tool`, `turn` | what happens around a call of the model, of a tool, and at the ends of a turn |
//! | `hook` | the hook of rig's |

#![deny(unsafe_code)]

mod error;
mod hook;
mod left;
mod message;
mod model;
mod output;
mod run;
mod session;
mod tool;
mod turn;

pub use error::SessionError;
pub use hook::PortcullisHook;
