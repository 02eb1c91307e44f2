//! Calls any lifecycle point with JSON, for agents that are written in another language or run in
//! another process.
//!
//! A [`Bridge`] holds the hooks of a directory, loaded once, and the sessions that callers name by
//! id. A [`CallRequest`] names a point and contains its input and views, in the form that
//! [scripts](portcullis::script) read. A [`CallReply`] contains the decision, the payload after the
//! hooks have run, their contributions, and the hook runs.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use portcullis::LoadOptions;
//! use portcullis_bridge::{Bridge, BridgeOptions, CallContext, CallRequest, Decision};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let bridge = Bridge::load(Path::new("hooks"), LoadOptions::default(), BridgeOptions::default())?;
//! let reply = bridge
//!     .call(CallRequest {
//!         point: "pre-tool-call".into(),
//!         context: CallContext::new("session-1", "my-agent").turn(1).step(1),
//!         input: json!({
//!             "call-id": "1", "name": "shell", "arguments-bytes": 16,
//!             "grant": {"working-dir": null, "timeout-ms": 10_000},
//!         }),
//!         views: json!({"tool-data": {"input": "{\"command\":\"ls\"}"}}),
//!     })
//!     .await?;
//! match reply.decision {
//!     Decision::Continue | Decision::Transform { .. } => println!("run it with {}", reply.payload),
//!     refused => println!("do not run it: {refused:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! An error of the bridge means that nothing was decided. A caller that guards an operation must
//! then not proceed.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `error`, `request`, `reply`, `reload`, `keys`, `trace` | errors; the JSON types; keys of the agent's own; traces of callers |
//! | `refusal` | what hooks refused, in words |
//! | `record` | what callers do, in the journal |
//! | `call` | one call of a point that is known by its name, and calls that wait for a person |
//! | `session` | one open session |
//! | `sessions` | all of them, by id |
//! | `bridge`, `memo` | the hooks and the sessions; what a caller puts into a session before hooks are loaded |

mod bridge;
mod call;
mod error;
mod keys;
mod memo;
mod record;
mod refusal;
mod reload;
mod reply;
mod request;
mod session;
mod sessions;
mod trace;

pub use bridge::{Bridge, BridgeOptions, RecorderLayer};
pub use error::BridgeError;
pub use keys::has_own_keys;
pub use memo::change_memo;
pub use reload::ReloadReply;
pub use reply::{
    CallReply, Contributions, Decision, HookRejection, Job, PendingQuestion, Run, RunResult,
};
pub use request::{AnswerRequest, CallContext, CallRequest};
pub use session::ClaimWait;
pub use trace::trace_of_carrier;
