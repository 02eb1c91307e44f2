//! Writes what was recalled into the prompt, with a word on how the model is to take it.
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
//! It writes all items of context whose kind begins with `memory.`, whoever contributed them, into
//! the section `memory`; a turn without any has no such section. The section is not essential: it
//! gives way where the prompt's budget is short.
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
    role = transform,
    failure = open,
    contributes = [section]
)]
impl MemoryPrompt {
    fn prompt_compile(
        _: Context,
        draft: prompt_compile::PromptDraft,
    ) -> HookResult<prompt_compile::Outcome> {
        let config = CONFIG.get()?;
        let policy = policy::in_turn();
        if draft.items == 0 && policy.write {
            return Ok(prompt_compile::Outcome::Continue);
        }
        let section = write::section(&prompt::context_items(), &policy, config);
        let contributions = section.map(prompt_compile::Contribution::Section);
        Ok(prompt_compile::Outcome::Contribute(
            contributions.into_iter().collect(),
        ))
    }
}
