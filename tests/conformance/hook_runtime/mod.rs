//! HookRuntime.
//!
//! | section | rows |
//! | --- | --- |
//! | "Turn Phases" | [`phases`] |
//! | "Contributions", "Adding A Hook": only the capabilities it needs | [`contributions`] |
//! | "Execution Policy" | [`execution`] |
//! | "Dependencies And Ordering" | [`ordering`] |
//! | "Persistence And Recovery" | [`journal`] |
//!
//! "Memory As A Hooked Domain" is six components of their own: `tests/end_to_end/memory_domain.rs`.
//!
//! | phase | point |
//! | --- | --- |
//! | `turn.pre_policy` | prompt-policy |
//! | `turn.pre_prompt_context` | prompt-context |
//! | `turn.post_preflight_prompt_context` | prompt-recall |
//! | `turn.pre_tool_materialization` | prompt-tools |
//! | `turn.pre_prompt_compile` | prompt-compile |
//! | `turn.post_turn` | post-turn |

mod contributions;
mod execution;
mod journal;
mod ordering;
mod phases;

/// The six phases.
const PHASES: &[&str] = &[
    "prompt-policy",
    "prompt-context",
    "prompt-recall",
    "prompt-tools",
    "prompt-compile",
    "post-turn",
];
