//! A view of the current tool call, at `pre_tool_call` and `post_tool_call`.

use serde::de::DeserializeOwned;

use crate::imports::tool_data;
use crate::{Error, HookResult};

/// Returns the arguments, read as `T`.
///
/// # Errors
///
/// The arguments do not fit `T`, or there is no tool call.
pub fn arguments<T: DeserializeOwned>() -> HookResult<T> {
    serde_json::from_str(&arguments_json())
        .map_err(|fault| Error::failed(format_args!("tool arguments: {fault}")))
}

/// Returns the arguments, as the text of a JSON object; empty outside of a tool call.
pub fn arguments_json() -> String {
    tool_data::input()
}

/// Returns the tool's output; none before the tool ran.
pub fn output() -> Option<String> {
    tool_data::output()
}
