//! phi-core's lifecycle callbacks.
//!
//! | section | rows |
//! | --- | --- |
//! | "Tiers Overview", "Hook Ordering" | [`nesting`] |
//! | "Short-Circuit Rules" | [`short_circuit`] |
//! | `before/after_tool_execution_update` | [`updates`] |
//! | "Steering Checkpoints", "Per-Strategy Behavior", "Why Mid-Stream …" | [`steering`] |
//! | "Hard Abort with CancellationToken" | [`abort`] |
//! | `on_error` | [`nesting`] |
//! | "Script Callbacks" | [`scripts`] |
//!
//! Its "turn" is our step, its "loop" our turn, its "task" our session.
//!
//! | callback | point |
//! | --- | --- |
//! | `before_task`, `after_task` | session-start, session-end |
//! | `before_loop`, `after_loop` | pre-turn, post-turn |
//! | `before_turn`, `after_turn` | pre-step, post-step |
//! | `on_error` | llm-error |
//! | `before_tool_execution`, `after_tool_execution` | pre-tool-call, post-tool-call |
//! | `before_tool_execution_update`, `after_tool_execution_update` | tool-update, tool-update-sent |
//! | `before_compaction_start`, `after_compaction_end` | pre-compaction, post-compaction |

mod abort;
mod nesting;
mod scripts;
mod short_circuit;
mod steering;
mod updates;

/// The callbacks.
const CALLBACKS: &[&str] = &[
    "session-start",
    "session-end",
    "pre-turn",
    "post-turn",
    "pre-step",
    "post-step",
    "llm-error",
    "pre-tool-call",
    "post-tool-call",
    "tool-update",
    "tool-update-sent",
    "pre-compaction",
    "post-compaction",
];

/// The events of the diagram.
const EVENTS: &[&str] = &[
    "session-started",
    "session-ended",
    "turn-started",
    "step-started",
    "step-ended",
    "text-delta",
    "tool-started",
    "tool-progress",
    "tool-finished",
    "compaction-started",
    "compacted",
];
