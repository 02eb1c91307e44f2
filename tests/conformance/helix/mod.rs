//! The internals of Helix' hooks.
//!
//! | section | rows |
//! | --- | --- |
//! | "Canonical Hook Firing Order" | [`canonical`] |
//! | "Suspension Path Hook Guarantees", the approve path | [`suspension`] |
//! | "Completion Path Hook Guarantees", "Hook Invocation Points" | [`completion`] |
//! | "Sub-Agent Hook Inheritance" | [`subagents`] |
//! | "HookManager": order, error propagation, `NoopHookManager`, `hasHooks()` | [`manager`] |
//! | "Per-Runtime Hook Parity": `onWorkspace*` | [`workspaces`] |
//! | every point exactly once, on every path | [`paths`] |
//! | `onTextDelta`, `onThinking`: defined but unwired there, wired here | [`deltas`] |
//!
//! Helix's hooks only observe: they have the role `observe` here, and rows run with that role.
//! If hooks that may change something fire elsewhere, rows list it for role `transform`.
//!
//! | Helix | point |
//! | --- | --- |
//! | `onAgentStart`, `onAgentComplete`, `onAgentFail` | pre-turn, post-turn, turn-error |
//! | `onAgentSuspended`, `onAgentResumed` | turn-suspended, turn-resumed |
//! | `beforeLLMCall`, `afterLLMCall` | pre-llm-call, post-llm-call |
//! | `beforeTool`, `afterTool` | pre-tool-call, post-tool-call |
//! | `onStateChange`, `onMessage` | state-changed, message-added |
//! | `beforeSubAgent`, `afterSubAgent` | pre-subagent, post-subagent |

mod canonical;
mod completion;
mod deltas;
mod manager;
mod paths;
mod subagents;
mod suspension;
mod workspaces;

/// The hooks of Helix.
const HOOKS: &[&str] = &[
    "pre-turn",
    "post-turn",
    "turn-error",
    "turn-suspended",
    "turn-resumed",
    "pre-llm-call",
    "post-llm-call",
    "pre-tool-call",
    "post-tool-call",
    "state-changed",
    "message-added",
    "pre-subagent",
    "post-subagent",
];

/// The hooks around a tool.
const TOOL: &[&str] = &[
    "pre-tool-call",
    "state-changed",
    "message-added",
    "post-tool-call",
];
