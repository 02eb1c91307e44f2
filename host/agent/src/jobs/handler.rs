//! Who does the jobs.

use async_trait::async_trait;
use serde_json::Value;

/// Work that a hook has left behind.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The handler's name.
    pub name: String,
    /// What the hook hands over.
    pub input: Value,
    /// The hook.
    pub hook: String,
    /// The session it is from; it may have ended.
    pub session_id: String,
}

/// A job that was not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

/// Does jobs of one name. Register it with
/// [`AgentBuilder::job`](crate::AgentBuilder::job).
///
/// A hook may be a stranger's: check the input like any other's.
#[async_trait]
pub trait JobHandler: Send + Sync {
    /// Does a job. Nobody waits for it, so it may take its time.
    ///
    /// # Errors
    ///
    /// Why it was not done; it is told to the agent's subscribers.
    async fn run(&self, job: Job) -> Result<(), JobError>;
}
