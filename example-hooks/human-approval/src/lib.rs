//! Asks a person about calls of the tools that the operator names.
//!
//! ```toml
//! [hooks.human-approval.config]
//! tools = ["shell", "write_*", "*delete*"] # `*` stands for any characters, `?` for one
//! ```
//!
//! The question names the tool; the details show the arguments. The host asks once all other hooks
//! agree, so no person is asked about a call that another hook refuses. `tools` is required; with
//! `[]` the hook asks about nothing.
//!
//! Points: `pre-tool-call`. Role: gate; it fails closed. Needs the view `tool-data`.

mod details;
mod glob;

use glob::Glob;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The tools whose calls a person approves. `*` stands for any characters, `?` for one.
    tools: Vec<Glob>,
}

static CONFIG: Prepared<Config> = Prepared::new(config);

struct HumanApproval;

#[hook(
    id = "human-approval",
    kind = "approval",
    description = "Has a person approve calls of the tools named.",
    priority = 5,
    failure = closed,
    config = Config
)]
impl HumanApproval {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let tool = call.name();
        if !CONFIG.get()?.tools.iter().any(|glob| glob.matches(&tool)) {
            return Ok(call.proceed());
        }
        let question = format!("May the agent run the tool `{tool}`?");
        let details = details::of(&tool_data::arguments_json());
        Ok(call.ask_with(question, details))
    }
}

#[cfg(test)]
mod tests;
