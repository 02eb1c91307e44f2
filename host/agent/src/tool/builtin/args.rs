//! Reading a tool's arguments.

use portcullis::threads::{self, BlockingError};
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
    match threads::blocking(work).await {
        Ok(result) => result,
        Err(BlockingError::Panicked(_)) => Err(ToolError::Panicked),
        Err(error) => Err(ToolError::Failed(format!("the tool did not run: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_without_a_thread_fails() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.thread_stack_size(1 << 60).build().expect("one");
        let error = runtime.block_on(blocking(|| Ok(()))).expect_err("none");
        assert!(error.to_string().contains("no more threads"), "{error}");
    }
}
