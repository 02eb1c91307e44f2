//! Recalls what fits the agent's plan of what to look for.
//!
//! ```toml
//! [hooks.memory-active-recall.grants]
//! contribute = ["context"]
//! shared-state = ["memory"]
//! views = ["prompt", "session"]
//! ```
//!
//! It scores all memories by the plan's queries (BM25 over words) and contributes the best, no more
//! items and tokens than the plan allows, as items of the kind `memory.found`. What is in the
//! context already is not recalled again. It does not read what the user says: the plan does.
//!
//! Points: `prompt-recall`. Role: transform; it fails open. Needs the views `prompt` and `session`;
//! it has no configuration.

mod find;

use memory_store::{policy, store};
use portcullis_sdk::prelude::*;

struct MemoryActiveRecall;

#[hook(
    id = "memory-active-recall",
    kind = "memory",
    description = "Recalls what fits the agent's plan of what to look for.",
    role = transform,
    failure = open,
    contributes = [context]
)]
impl MemoryActiveRecall {
    fn prompt_recall(
        _: Context,
        plan: prompt_recall::RecallPlan,
    ) -> HookResult<prompt_recall::Outcome> {
        if plan.queries == 0 || plan.max_items == 0 || !policy::in_turn().read {
            return Ok(prompt_recall::Outcome::Continue);
        }
        let known = prompt::context_items();
        let found = find::items(&store::all()?, &prompt::queries(), &known, &plan);
        let contributions = found.into_iter().map(prompt_recall::Contribution::Context);
        Ok(prompt_recall::Outcome::Contribute(contributions.collect()))
    }
}
