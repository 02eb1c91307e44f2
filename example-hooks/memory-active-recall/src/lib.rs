//! Recalls memories that match the queries of the agent's plan.
//!
//! ```toml
//! [hooks.memory-active-recall.grants]
//! contribute = ["context"]
//! shared-state = ["memory"]
//! views = ["prompt", "session"]
//! ```
//!
//! It scores all memories by the plan's queries (BM25 over words) and contributes the best as items
//! of the kind `memory.found`, no more items and tokens than the plan allows. It skips memories that
//! are in the context already. It reads the plan and not the user's message.
//!
//! Points: `prompt-recall`. Role: transform; it fails open. Needs the views `prompt` and `session`;
//! it has no configuration.

mod find;

use find::Room;
use memory_store::{policy, store};
use portcullis_sdk::prelude::*;

struct MemoryActiveRecall;

#[hook(
    id = "memory-active-recall",
    kind = "memory",
    description = "Recalls what fits the agent's plan of what to look for.",
    failure = open
)]
impl MemoryActiveRecall {
    fn prompt_recall(call: &prompt_recall::Call) -> HookResult<prompt_recall::Verdict> {
        let queries = prompt::queries();
        let room = Room {
            items: call.max_items(),
            tokens: call.max_tokens(),
        };
        if queries.is_empty() || room.items == 0 || !policy::in_turn().read {
            return Ok(call.proceed());
        }
        for item in find::items(&store::all()?, &queries, &prompt::context_items(), &room) {
            call.add_context(item.kind, item.text, item.data.as_deref());
        }
        Ok(call.proceed())
    }
}
