//! Writes recalled memories into the prompt, and tells the model how to use them.
//!
//! ```toml
//! [hooks.memory-prompt.grants]
//! contribute = ["section"]
//! views = ["prompt"]
//!
//! [hooks.memory-prompt.config]
//! order = 50        # the default
//! max-tokens = 600  # the default
//! ```
//!
//! It writes all items of context whose kind begins with `memory.`, whichever hook contributed them,
//! into the section `memory`. Without such items there is no section. The section is not essential:
//! it is cut first if the prompt's budget is short.
//!
//! Points: `prompt-compile`. Role: transform; it fails open. Needs the view `prompt`; it cannot read
//! the store.

mod write;

use memory_store::policy;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use write::Config;

static CONFIG: Prepared<Config> = Prepared::new(config);

struct MemoryPrompt;

#[hook(
    id = "memory-prompt",
    kind = "memory",
    description = "Writes what was recalled into the prompt.",
    failure = open,
    config = Config
)]
impl MemoryPrompt {
    fn prompt_compile(call: &prompt_compile::Call) -> HookResult<prompt_compile::Verdict> {
        let config = CONFIG.get()?;
        let items = prompt::context_items();
        if let Some(section) = write::section(&items, &policy::in_turn(), config) {
            call.add_section(section);
        }
        Ok(call.proceed())
    }
}
