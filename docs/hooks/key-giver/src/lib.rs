//! Puts a key into a tool's arguments, so that the model never sees it.

use portcullis_sdk::prelude::*;
use serde_json::{Map, Value};

struct KeyGiver;

#[hook(
    id = "key-giver",
    kind = "secrets",
    description = "Puts the weather service's key into the arguments of `weather`.",
    role = transform
)]
impl KeyGiver {
    fn pre_tool_call(
        _: Context,
        call: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        if call.name != "weather" {
            return Ok(pre_tool_call::Outcome::Continue);
        }
        let key = secrets::get("WEATHER_KEY").ok_or_else(|| Error::failed("no WEATHER_KEY"))?;
        let mut arguments: Map<String, Value> = tool_data::arguments()?;
        arguments.insert("key".into(), key.into());
        pre_tool_call::Outcome::transform_arguments(&arguments)
    }
}
