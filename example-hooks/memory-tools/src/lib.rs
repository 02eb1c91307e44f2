//! Lets the model search the user's memories and save one: the tools `memory_search` and
//! `memory_save`, which it answers itself.
//!
//! ```toml
//! [hooks.memory-tools.grants]
//! contribute = ["tools"]
//! shared-state = ["memory"]
//! views = ["prompt", "session", "tool-data"]
//! ```
//!
//! Both obey the turn's policy: if it forbids reading, nothing is searched; if it forbids writing,
//! nothing is saved. The result says so. The agent's own policy decides on both tools by name.
//!
//! Points: `prompt-tools`, `pre-tool-call`. Role: transform; it fails open, so that a failure affects
//! only these two tools. It runs late at `pre-tool-call`, so that guards run first: an answer ends the
//! chain.

mod tools;

use memory_store::{policy, store};
use portcullis_sdk::prelude::*;

struct MemoryTools;

#[hook(
    id = "memory-tools",
    kind = "memory",
    description = "Lets the model search the user's memories and save one.",
    priority = 950,
    failure = open
)]
impl MemoryTools {
    fn prompt_tools(call: &prompt_tools::Call) -> HookResult<prompt_tools::Verdict> {
        if let Some(bundle) = tools::bundle(&policy::in_turn()) {
            call.add_tools(bundle);
        }
        Ok(call.proceed())
    }

    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let answer = match call.name().as_str() {
            tools::SEARCH if !policy::in_turn().read => tools::refused("read"),
            tools::SEARCH => tools::found(&store::all()?, &tool_data::arguments()?),
            tools::SAVE if !policy::in_turn().write => tools::refused("written"),
            tools::SAVE => match tools::memory(&tool_data::arguments()?) {
                Some(memory) => tools::kept(store::keep(memory)?),
                None => tools::nothing_said(),
            },
            _ => return Ok(call.proceed()),
        };
        Ok(call.answer(answer.content, answer.is_error))
    }
}

#[cfg(test)]
mod tests;
