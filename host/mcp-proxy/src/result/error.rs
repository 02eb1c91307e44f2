//! A JSON-RPC error in place of a result.

use portcullis_agent::ToolOutput;
use serde_json::Value;

use crate::message::{Malformed, fields, string, with_fields};

/// Returns an error as hooks see it: its message, and its data as a line of JSON.
///
/// # Errors
///
/// The text is not an error.
pub(crate) fn error_output(error: &str) -> Result<ToolOutput, Malformed> {
    let [message, data] = fields(error, ["message", "data"])?;
    let message = message.ok_or_else(|| Malformed::new("an error has no message"))?;
    let mut content = string(message)?;
    if let Some(data) = data {
        content.push('\n');
        content.push_str(&serde_json::from_str::<Value>(data)?.to_string());
    }
    Ok(ToolOutput::error(content))
}

/// Returns the error with another message. Its data is dropped, because hooks changed the text of
/// both.
///
/// # Errors
///
/// The text is not an error.
pub(crate) fn with_error_output(error: &str, new: &ToolOutput) -> Result<String, Malformed> {
    let message = Value::from(new.content.as_str()).to_string();
    with_fields(error, &[("message", Some(message)), ("data", None)])
}
