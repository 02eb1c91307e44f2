//! Answers a tool call that was made before with what it gave then.

use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The tools that change nothing. Any other tool empties the cache.
    tools: Vec<String>,
}

impl Config {
    fn caches(&self, tool: &str) -> bool {
        self.tools.iter().any(|listed| listed == tool)
    }
}

fn key(tool: &str) -> String {
    format!("{tool} {}", tool_data::arguments_json())
}

struct ToolCache;

#[hook(
    id = "tool-cache",
    kind = "cache",
    description = "Answers tool calls that were made before with what they gave then.",
    role = transform,
    failure = open
)]
impl ToolCache {
    fn pre_tool_call(
        _: Context,
        call: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        let config: Config = config()?;
        if !config.caches(&call.name) {
            state::keys().iter().for_each(|key| state::delete(key));
            return Ok(pre_tool_call::Outcome::Continue);
        }
        let known: Option<String> = state::get(&key(&call.name))?;
        Ok(match known {
            Some(output) => {
                info!(tool = call.name, "answered from the cache");
                pre_tool_call::Outcome::answer_text(output)
            }
            None => pre_tool_call::Outcome::Continue,
        })
    }

    fn post_tool_call(
        _: Context,
        call: post_tool_call::ToolOutcome,
    ) -> HookResult<post_tool_call::Outcome> {
        let config: Config = config()?;
        if let Some(output) = tool_data::output()
            && config.caches(&call.name)
            && !call.is_error
        {
            state::set(&key(&call.name), &output)?;
        }
        Ok(post_tool_call::Outcome::Continue)
    }
}
