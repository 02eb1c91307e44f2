//! Recalls the user's profile and named memories. The same words always recall the same memories.
//!
//! ```toml
//! [hooks.memory-recall.grants]
//! contribute = ["context"]
//! shared-state = ["memory"]
//! views = ["content", "prompt", "session"]
//!
//! [hooks.memory-recall.config]
//! max-items = 12  # the default
//! max-tokens = 300 # the default
//! ```
//!
//! It contributes the memories that are marked as the user's profile, and those whose id or tag is
//! among the user's words (`#work`, or just `work`). It scores nothing; `memory-active-recall` does.
//! Each memory is an item of the kind `memory.profile` or `memory.named`.
//!
//! Points: `prompt-context`. Role: transform; it fails open, since a turn works without memories.
//! Needs the views `content`, `prompt` and `session`.

mod choose;

use choose::Config;
use memory_store::{policy, store};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

static CONFIG: Prepared<Config> = Prepared::new(config);

struct MemoryRecall;

#[hook(
    id = "memory-recall",
    kind = "memory",
    description = "Recalls who the user is and what they name.",
    failure = open,
    config = Config
)]
impl MemoryRecall {
    fn prompt_context(call: &prompt_context::Call) -> HookResult<prompt_context::Verdict> {
        let config = CONFIG.get()?;
        if policy::in_turn().read {
            for item in choose::items(&store::all()?, &content::text(), config) {
                call.add_context(item.kind, item.text, item.data.as_deref());
            }
        }
        Ok(call.proceed())
    }
}
