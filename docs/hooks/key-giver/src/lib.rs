//! Puts a key into a tool's arguments, so that the model never sees it.

use portcullis_sdk::prelude::*;
use serde_json::{Map, Value};

struct KeyGiver;

#[hook(
    id = "key-giver",
    kind = "secrets",
    description = "Puts the weather service's key into the arguments of `weather`."
)]
impl KeyGiver {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        if call.name() != "weather" {
            return Ok(call.proceed());
        }
        let key = secrets::get("WEATHER_KEY").ok_or_else(|| Error::failed("no WEATHER_KEY"))?;
        let mut arguments: Map<String, Value> = tool_data::arguments()?;
        arguments.insert("key".into(), key.into());
        call.transform_arguments(&arguments)
    }
}
