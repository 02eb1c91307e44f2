//! Reading a tool's arguments.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::tool::ToolError;

/// Reads a tool's arguments.
pub(super) fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, ToolError> {
    serde_json::from_value(arguments).map_err(|e| ToolError::Arguments(e.to_string()))
}

/// Runs blocking file work off the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ToolError::Panicked),
    }
}
