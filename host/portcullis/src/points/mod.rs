//! The lifecycle points: one module each, all listed in one table.
//!
//! A point is a marker type that implements [`Point`]. The trait says which record a hook is
//! given, what it may answer, and what an answer does to the call. What is illegal at a point is
//! [`Never`] there, so a verdict cannot express it.

mod info;
mod step;
mod table;

pub mod llm_error;
pub mod post_compaction;
pub mod post_llm_call;
pub mod post_tool_call;
pub mod post_turn;
pub mod pre_compaction;
pub mod pre_llm_call;
pub mod pre_tool_call;
pub mod pre_turn;
pub mod session_end;
pub mod session_start;
pub mod turn_error;

pub use info::{FailureRule, Order, OutcomeKind, PointInfo};
pub use llm_error::LlmError;
pub use post_compaction::PostCompaction;
pub use post_llm_call::PostLlmCall;
pub use post_tool_call::PostToolCall;
pub use post_turn::PostTurn;
pub use pre_compaction::PreCompaction;
pub use pre_llm_call::PreLlmCall;
pub use pre_tool_call::PreToolCall;
pub use pre_turn::PreTurn;
pub use session_end::SessionEnd;
pub use session_start::SessionStart;
pub use step::{AskPerson, InvalidValue, Never, Payload, Point, Refusal, Step};
pub use table::{Listed, PointId};
pub use turn_error::TurnError;

pub(crate) use table::{PointSet, for_each_point};
