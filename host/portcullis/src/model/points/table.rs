//! The one list of all points. All code for every point is generated from it.

use serde::{Deserialize, Serialize};

use super::{Point, PointInfo};
use crate::model::json::JsonPoint;

/// Calls a macro with every point: marker type, module and name.
macro_rules! for_each_point {
    ($macro:ident) => {
        $macro! {
            SessionStart, session_start, "session-start";
            SessionEnd, session_end, "session-end";
            PreTurn, pre_turn, "pre-turn";
            PostTurn, post_turn, "post-turn";
            TurnError, turn_error, "turn-error";
            TurnSuspended, turn_suspended, "turn-suspended";
            TurnResumed, turn_resumed, "turn-resumed";
            PromptPolicy, prompt_policy, "prompt-policy";
            PromptContext, prompt_context, "prompt-context";
            PromptRecall, prompt_recall, "prompt-recall";
            PromptTools, prompt_tools, "prompt-tools";
            PromptCompile, prompt_compile, "prompt-compile";
            PreStep, pre_step, "pre-step";
            PostStep, post_step, "post-step";
            PreLlmCall, pre_llm_call, "pre-llm-call";
            LlmDelta, llm_delta, "llm-delta";
            PostLlmCall, post_llm_call, "post-llm-call";
            LlmError, llm_error, "llm-error";
            PreToolCall, pre_tool_call, "pre-tool-call";
            ToolUpdate, tool_update, "tool-update";
            ToolUpdateSent, tool_update_sent, "tool-update-sent";
            PostToolCall, post_tool_call, "post-tool-call";
            StateChanged, state_changed, "state-changed";
            MessageAdded, message_added, "message-added";
            PreSubagent, pre_subagent, "pre-subagent";
            PostSubagent, post_subagent, "post-subagent";
            PreCompaction, pre_compaction, "pre-compaction";
            PostCompaction, post_compaction, "post-compaction";
            TurnStopping, turn_stopping, "turn-stopping";
            WorkspaceOpened, workspace_opened, "workspace-opened";
            WorkspaceClosed, workspace_closed, "workspace-closed";
            WorkspaceEvicted, workspace_evicted, "workspace-evicted";
            WorkspaceEvictionRetried, workspace_eviction_retried, "workspace-eviction-retried";
            WorkspaceSnapshotted, workspace_snapshotted, "workspace-snapshotted";
        }
    };
}
pub(crate) use for_each_point;

macro_rules! define_ids {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        /// A point, as a value.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum PointId {
            $(
                #[doc = concat!("`", $name, "`")]
                $point,
            )*
        }

        impl PointId {
            /// All points, in the order of the design's table.
            pub const ALL: &[PointId] = &[$(PointId::$point),*];

            /// Returns the point's row in the table.
            pub const fn info(self) -> &'static PointInfo {
                match self {
                    $(PointId::$point => &<super::$point as Point>::INFO,)*
                }
            }

            /// Returns the name, equal to that of the WIT interface.
            pub const fn name(self) -> &'static str {
                match self {
                    $(PointId::$point => $name,)*
                }
            }
        }
    };
}
for_each_point!(define_ids);

/// A point's entry in the table: its id.
pub trait Listed: Sized {
    /// The point's id.
    const ID: PointId;
}

macro_rules! list {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        $(impl Listed for super::$point {
            const ID: PointId = PointId::$point;
        })*
    };
}
for_each_point!(list);

/// A point without a tool schema: all but [`PreToolCall`](super::PreToolCall), whose calls are
/// created by `Call::of_tool`.
pub trait Unschemed: Point {}

macro_rules! unschemed {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        $(unschemed!(@ $point);)*
    };
    (@ PreToolCall) => {};
    (@ $point:ident) => {
        impl Unschemed for super::$point {}
    };
}
for_each_point!(unschemed);

/// An operation on a point that is known only by its id: see [`PointId::visit`].
pub trait PointVisitor {
    /// The result.
    type Output;

    /// Runs the operation, with the point as a type.
    fn visit<P: JsonPoint>(self) -> Self::Output;
}

macro_rules! visit {
    ($($point:ident, $module:ident, $name:literal;)*) => {
        impl PointId {
            /// Runs a visitor, with the point as a type.
            ///
            /// ```
            /// use portcullis::json::JsonPoint;
            /// use portcullis::points::{PointId, PointVisitor};
            ///
            /// struct Kinds;
            ///
            /// impl PointVisitor for Kinds {
            ///     type Output = usize;
            ///
            ///     fn visit<P: JsonPoint>(self) -> usize {
            ///         P::INFO.outcomes.len()
            ///     }
            /// }
            ///
            /// assert_eq!(PointId::SessionStart.visit(Kinds), 2);
            /// ```
            pub fn visit<V: PointVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$point => visitor.visit::<super::$point>(),)*
                }
            }
        }
    };
}
for_each_point!(visit);

impl PointId {
    /// Returns the point with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|point| point.name() == name)
    }
}

impl std::fmt::Display for PointId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PointSet(std::collections::BTreeSet<PointId>);

impl PointSet {
    pub(crate) fn contains(&self, point: PointId) -> bool {
        self.0.contains(&point)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = PointId> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<PointId> for PointSet {
    fn from_iter<I: IntoIterator<Item = PointId>>(points: I) -> Self {
        Self(points.into_iter().collect())
    }
}
