//! Running a tool within its grant.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt as _;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::agent::Shared;
use crate::policy::ExecutionGrant;
use crate::tool::{ToolError, ToolOutput, ToolProgress, ToolRun};

/// How much longer than its grant a tool is waited for: one that keeps its limit itself can say
/// more about it.
const GRACE: Duration = Duration::from_millis(500);

/// Runs a tool within its grant, whatever the tool does.
pub(super) async fn execute(
    shared: &Shared,
    name: &str,
    arguments: &str,
    grant: ExecutionGrant,
    progress: ToolProgress,
) -> ToolOutput {
    let arguments: Value = match serde_json::from_str(arguments) {
        Ok(arguments) => arguments,
        Err(e) => return failed(&ToolError::Arguments(e.to_string())),
    };
    let cancel = CancellationToken::new();
    // Also when this future is dropped, the tool hears that nobody waits for it.
    let _cancelled_at_the_end = cancel.clone().drop_guard();
    let timeout = grant.timeout;
    let run = ToolRun {
        grant,
        cancel,
        progress,
    };
    let dispatched = AssertUnwindSafe(shared.context.tools.dispatch(name, arguments, run));
    match tokio::time::timeout(timeout + GRACE, dispatched.catch_unwind()).await {
        Ok(Ok(Ok(output))) => output,
        Ok(Ok(Err(error))) => failed(&error),
        Ok(Err(_panic)) => {
            tracing::error!(tool = name, "a tool panicked");
            failed(&ToolError::Panicked)
        }
        Err(_) => failed(&ToolError::Timeout(timeout)),
    }
}

fn failed(error: &ToolError) -> ToolOutput {
    ToolOutput::error(format!("The tool failed: {error}"))
}
