//! The two ways of calling a hook: on the caller's thread, and as a future.

use serde::Serialize;

/// The way a hook is called: at once on the caller's thread, or as a future, since it can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallMode {
    /// None of the hook's imports can wait.
    Sync,
    /// One of the hook's imports can wait. Streams do not count: they never wait, though language
    /// runtimes poll them.
    Async,
}
