//! Answers a repeated tool call with its earlier output.

use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
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
    failure = open,
    config = Config
)]
impl ToolCache {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        let config: Config = config()?;
        let tool = call.name();
        if !config.caches(&tool) {
            state::keys().iter().for_each(|key| state::delete(key));
            return Ok(call.proceed());
        }
        let known: Option<String> = state::get(&key(&tool))?;
        Ok(match known {
            Some(output) => {
                info!(tool, "answered from the cache");
                call.answer_text(output)
            }
            None => call.proceed(),
        })
    }

    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        let config: Config = config()?;
        let tool = call.name();
        if config.caches(&tool)
            && !call.is_error()
            && let Some(output) = tool_data::output()
        {
            state::set(&key(&tool), &output)?;
        }
        Ok(call.proceed())
    }
}
