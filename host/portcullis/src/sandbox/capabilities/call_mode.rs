//! Whether a hook is called on the caller's thread or as a future.

use serde::Serialize;

/// The way a hook is called: at once on the caller's thread, or as a future, since it can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallMode {
    /// None of its imports can wait.
    Sync,
    /// One of its imports can wait. Streams never do, though language runtimes poll them.
    Async,
}
