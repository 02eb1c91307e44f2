//! Asks the agent's model whether a tool call keeps to rules that are written in plain words.
//!
//! ```toml
//! [hooks.llm-judge.grants]
//! model = { tokens = 8000 }
//!
//! [hooks.llm-judge.limits]
//! wall-ms = 30000
//!
//! [hooks.llm-judge.config]
//! tools = ["run_command"]
//! rules = "Nothing outside of the working directory is deleted."
//! ```
//!
//! The model answers `allow`, or `deny:` and a reason. A call that it denies is refused with the code
//! `judge` and that reason. Anything else, and a model that fails or whose budget is used up, is a
//! failure of the hook. It is a gate, so it fails closed: the tool does not run.
//!
//! A judge of this kind is a second line of defence. The arguments that it reads may be written to
//! mislead it, so rules that can be checked exactly belong in a hook that checks them.
//!
//! Points: `pre-tool-call`. Role: gate. Needs the view `tool-data`, and the model.

mod verdict;

use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde::Deserialize;

use verdict::Ruling;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The tools whose calls are judged.
    tools: Vec<String>,
    /// The rules that a call must keep to.
    rules: String,
}

static CONFIG: Prepared<Config> = Prepared::new(config);

/// The most tokens of an answer: a word, or a sentence.
const ANSWER_TOKENS: u32 = 100;

/// The hook.
pub struct LlmJudge;

#[hook(
    id = "llm-judge",
    kind = "policy",
    description = "Asks the agent's model whether a tool call keeps to the rules.",
    priority = 960,
    config = Config
)]
impl LlmJudge {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config = CONFIG.get()?;
        let name = call.name();
        if !config.tools.contains(&name) {
            return Ok(call.proceed());
        }
        let instructions = verdict::instructions(&config.rules);
        let arguments = tool_data::arguments_json();
        let prompt = verdict::prompt(&name, &arguments);
        let answer = model::complete_within(&instructions, &prompt, ANSWER_TOKENS)?;
        match verdict::read(&answer.text) {
            Some(Ruling::Allow) => Ok(call.proceed()),
            Some(Ruling::Deny(reason)) => Ok(call.reject("judge", reason)),
            None => Err(Error::failed(
                "the model answered neither `allow` nor `deny`",
            )),
        }
    }
}
