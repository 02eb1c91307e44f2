//! AgentHook v2.
//!
//! | section | rows |
//! | --- | --- |
//! | "Updated runtime flow", the trait's twelve methods | [`flow`] |
//! | "HookAction", "Short-circuit rules", "Two categories of hooks" | [`actions`] |
//! | "Hook composition": priority, reversed post hooks | [`composition`] |
//! | `fail_open` | [`failing`] |
//! | `RetryDecision`, `CompactionHint`, `TokenBudget`, `ExecutionGrant` | [`decisions`] |
//! | "HookContext and shared state", the cost tracker | [`state`] |
//! | "Human-in-the-loop approval", "RuntimePolicy vs pre_tool_call hook" | [`approval`] |

mod actions;
mod approval;
mod composition;
mod decisions;
mod failing;
mod flow;
mod state;

/// The trait's methods.
const METHODS: &[&str] = &[
    "session-start",
    "session-end",
    "pre-turn",
    "post-turn",
    "turn-error",
    "pre-llm-call",
    "post-llm-call",
    "llm-error",
    "pre-tool-call",
    "post-tool-call",
    "pre-compaction",
    "post-compaction",
];
