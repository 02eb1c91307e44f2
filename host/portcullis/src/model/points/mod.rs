//! The lifecycle points: one module each, all listed in one table.
//!
//! A point is a marker type that implements [`Point`]. The trait defines a hook's record, its
//! possible answers, and an answer's effect on the call. A case that is illegal at a point has the
//! type [`Never`] there, so a verdict cannot express it.

mod action;
mod answer;
mod edits;
mod imports;
mod info;
mod outcomes;
mod table;
mod telling;

pub mod llm_delta;
pub mod llm_error;
pub mod message_added;
pub mod post_compaction;
pub mod post_llm_call;
pub mod post_step;
pub mod post_subagent;
pub mod post_tool_call;
pub mod post_turn;
pub mod pre_compaction;
pub mod pre_llm_call;
pub mod pre_step;
pub mod pre_subagent;
pub mod pre_tool_call;
pub mod pre_turn;
pub mod prompt_compile;
pub mod prompt_context;
pub mod prompt_policy;
pub mod prompt_recall;
pub mod prompt_tools;
pub mod session_end;
pub mod session_start;
pub mod state_changed;
pub mod tool_update;
pub mod tool_update_sent;
pub mod turn_error;
pub mod turn_resumed;
pub mod turn_stopping;
pub mod turn_suspended;
pub mod workspace_closed;
pub mod workspace_evicted;
pub mod workspace_eviction_retried;
pub mod workspace_opened;
pub mod workspace_snapshotted;

pub use action::{Action, AskPerson, InvalidValue, Never, Payload, Point, Refusal, Signal};
pub use answer::AnswerKind;
pub(crate) use answer::strongest;
pub use info::{FailureRule, Order, OutcomeKind, PointInfo};
pub use table::{Listed, PointId, PointVisitor, Unschemed};

pub(crate) use imports::{Answers, Facts};
pub(crate) use table::{PointSet, for_each_point};

macro_rules! markers {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        $(pub use $module::$point;)*
    };
}
for_each_point!(markers);
