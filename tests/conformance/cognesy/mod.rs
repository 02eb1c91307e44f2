//! The hooks of Cognesy's agents.
//!
//! | section | rows |
//! | --- | --- |
//! | "Lifecycle Events": the eight triggers, what each has available | [`triggers`], [`callable`] |
//! | "CallableHook", "Implementing a Hook", `PassThroughInterceptor`, `HookExecuted` | [`callable`] |
//! | "Hook Priority" | [`priority`] |
//! | "Modifying Agent State" | [`messages`] |
//! | "Blocking Tool Execution" | [`blocking`] |
//! | "Applying Context Configuration" | [`context`] |
//! | "Built-in Guard Hooks", `UseGuards` | [`guards`] |
//! | `OnStop`, `OnError` | [`stopping`] |
//!
//! The triggers and our points:
//!
//! | trigger | point |
//! | --- | --- |
//! | `BeforeExecution`, `AfterExecution` | pre-turn, post-turn |
//! | `BeforeStep`, `AfterStep` | pre-step, post-step |
//! | `BeforeToolUse`, `AfterToolUse` | pre-tool-call, post-tool-call |
//! | `OnStop` | turn-stopping |
//! | `OnError` | turn-error |

mod blocking;
mod callable;
mod context;
mod guards;
mod messages;
mod priority;
mod stopping;
mod triggers;

/// The eight triggers.
const TRIGGERS: &[&str] = &[
    "pre-turn",
    "pre-step",
    "pre-tool-call",
    "post-tool-call",
    "post-step",
    "turn-stopping",
    "post-turn",
    "turn-error",
];
