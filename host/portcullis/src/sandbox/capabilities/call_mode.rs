//! Whether a hook is called on the caller's thread or as a future.

use serde::Serialize;

/// How a hook is called: at once on the caller's thread, or as a future, since it can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallMode {
    /// Nothing that it imports can wait.
    Sync,
    /// It imports something that can wait. Streams never do, though language runtimes poll them.
    Async,
}
