//! Redacts or refuses keys, tokens and passwords in the inputs and outputs of models and tools.
//!
//! It works without configuration. With the defaults in full:
//!
//! ```toml
//! [hooks.secrets.config]
//! kinds = {}    # each built-in kind is on; `bearer = false` disables one
//! patterns = {} # regular expressions of further kinds, by the kind's name
//!
//! [hooks.secrets.config.places] # "redact", "refuse" or "off"
//! model_input = "redact"
//! model_output = "redact"
//! tool_input = "redact"
//! tool_output = "redact"
//! trusted_tools = [] # the arguments of these tools are not searched
//! ```
//!
//! `docs/guards/secrets.md` describes the kinds and the guard's limits.
//!
//! Points: `pre-llm-call`, `post-llm-call`, `pre-tool-call`, `post-tool-call`, `post-turn`. Role: transform, so it fails closed: text that
//! it could not search is withheld. Needs the views `content`, `conversation` and `tool-data`.

mod config;
mod placeholders;
mod search;

use config::Config;
use guards_common::surfaces::Surfaces;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use search::Search;

static CONFIG: Prepared<Config> = Prepared::new(config);
static SEARCH: Prepared<Search> = Prepared::new(|| CONFIG.get()?.search());

fn guarded<T>(handle: impl FnOnce(&Surfaces<'_>) -> HookResult<T>) -> HookResult<T> {
    let search = SEARCH.get()?;
    handle(&Surfaces {
        code: "secret",
        what: "secrets",
        places: &CONFIG.get()?.places,
        redact: &|name, text, found| search.redact(name, text, found),
    })
}

struct Secrets;

#[hook(
    id = "secrets",
    kind = "guardrail",
    description = "Redacts keys, tokens and passwords, or refuses them.",
    priority = 20,
    config = Config
)]
impl Secrets {
    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        guarded(|surfaces| surfaces.pre_llm_call(call))
    }

    fn post_llm_call(call: &post_llm_call::Call) -> HookResult<post_llm_call::Verdict> {
        guarded(|surfaces| surfaces.post_llm_call(call))
    }

    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        guarded(|surfaces| surfaces.post_turn(call))
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        guarded(|surfaces| surfaces.pre_tool_call(call))
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        guarded(|surfaces| surfaces.post_tool_call(call))
    }
}

#[cfg(test)]
mod tests;
