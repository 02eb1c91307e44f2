//! The hook events of other agents: each is mapped to lifecycle points, and what hooks decided is answered
//! in the shape that the agent reads.
//!
//! An agent's dialect is how it calls command hooks: the JSON of its events, and what it reads from a hook's
//! standard output, standard error and exit code. [`answer`] does no input and output but through a
//! [`Caller`], which is a [`Bridge`](portcullis_bridge::Bridge) or, in tests, a list of decisions.
//!
//! What a dialect cannot express is never dropped: it becomes a refusal, a context or a message to the
//! user, as [`Dialect::events`] says of each event. A failure of the host becomes an answer that blocks, where the
//! event can be blocked.
//!
//! # Modules
//!
//! Lowest first: `text`; `dialect`, `family` (the table of events); `event` (reading one); `progress` (what is
//! remembered from event to event); `verdict` (what hooks decided, without a dialect's shape); `flow` (the
//! points of each family of events); `answer`; `claude`, `codex`, `gemini` (each one's shapes); `handle`.

mod answer;
mod claude;
mod codex;
mod dialect;
mod event;
mod family;
mod flow;
mod gemini;
mod handle;
mod progress;
mod text;
mod verdict;

pub use answer::{Answer, Output};
pub use dialect::{Dialect, UnknownDialect};
pub use event::{Event, EventError, MOST_BYTES};
pub use family::EventInfo;
pub use flow::Caller;
pub use handle::{answer, failure};
pub use progress::Progress;
