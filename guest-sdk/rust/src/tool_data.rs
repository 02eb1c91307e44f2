//! A view of the current tool call, at `pre_tool_call` and `post_tool_call`.

use serde::de::DeserializeOwned;

use crate::imports::tool_data;
use crate::{Error, HookResult};

/// The arguments.
///
/// # Errors
///
/// They do not fit `T`, or there is no tool call.
pub fn arguments<T: DeserializeOwned>() -> HookResult<T> {
    serde_json::from_str(&arguments_json())
        .map_err(|fault| Error::failed(format_args!("tool arguments: {fault}")))
}

/// The arguments, as the text of a JSON object; empty outside of a tool call.
pub fn arguments_json() -> String {
    tool_data::input()
}

/// What the tool gave back; nothing before it ran.
pub fn output() -> Option<String> {
    tool_data::output()
}
