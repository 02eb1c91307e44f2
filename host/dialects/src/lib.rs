//! The hook events of other agents: each is mapped to lifecycle points, and the hooks' decision is
//! answered in the shape that the agent reads.
//!
//! An agent's dialect is its way of calling command hooks: the JSON of its events, and the output
//! that it reads from a hook's standard output, standard error and exit code. [`answer`] does input
//! and output only through a [`Caller`], which is a [`Bridge`](portcullis_bridge::Bridge) or, in
//! tests, a list of decisions.
//!
//! A decision that a dialect cannot express is never dropped: it becomes a refusal, a context or a
//! message to the user, as [`Dialect::events`] states for each event. A failure of the host becomes
//! an answer that blocks, if the event can be blocked.
//!
//! # Rooms
//!
//! The crate's modules, lowest first. A module imports only from rows above its own; modules of one
//! row do not import each other. `tests/rooms.rs` checks it.
//!
//! | room | holds |
//! | --- | --- |
//! | `text`, `events`, `fragment` | texts of hooks; the table of events; the name of an event that cannot be read |
//! | `dialect` | the agents whose hook events are known |
//! | `event` | reading an event |
//! | `progress`, `verdict`, `answer` | the state of a session between events; the hooks' decision, in no dialect; a
//! command's output |
//! | `flow` | the points of each family of events |
//! | `claude`, `codex`, `gemini` | the answers of each dialect |
//! | `handle` | answering an event |
//! | `session` | answering an event with its session's progress |
//! | [`script`] | the reverse direction: command hooks of Claude Code as script hooks |

mod answer;
mod claude;
mod codex;
mod dialect;
mod event;
mod events;
mod flow;
mod fragment;
mod gemini;
mod handle;
mod progress;
pub mod script;
mod session;
mod text;
mod verdict;

pub use answer::{Answer, BLOCKS, Output};
pub use dialect::{Dialect, UnknownDialect};
pub use event::{Event, EventError, MOST_BYTES};
pub use events::EventInfo;
pub use flow::{Caller, starts};
pub use handle::{answer, failure, unread};
pub use progress::Progress;
pub use session::{
    AnsweredEvent, PointCall, UnansweredEvent, answer_in_session, answer_in_trace,
    refused_until_decided,
};
