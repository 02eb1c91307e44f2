//! Jobs and their handlers.

use async_trait::async_trait;
use serde_json::Value;

/// Background work that a hook has queued. With a [`JobStore`](super::JobStore) a job runs at least
/// once.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The handler's name.
    pub name: String,
    /// The job's input.
    pub input: Value,
    /// The hook that queued it.
    pub hook: String,
    /// The hook's session, which may have ended.
    pub session_id: String,
    /// The session of the outermost agent. It differs from `session_id` if that session is a
    /// sub-agent's.
    pub root_session: String,
    /// The attempt, counted from 1. It is greater than 1 if a process ended before the job did. The
    /// job's work may then already be done, completely or partly.
    pub attempt: u32,
}

/// The reason that a job failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

/// Runs the jobs of one name. Register it with
/// [`AgentBuilder::job`](crate::AgentBuilder::job).
///
/// The hook's author may be a stranger: check the input like any other untrusted input.
#[async_trait]
pub trait JobHandler: Send + Sync {
    /// Runs a job. No turn waits for it.
    ///
    /// # Errors
    ///
    /// The reason that the job failed; subscribers get it as an event.
    async fn run(&self, job: Job) -> Result<(), JobError>;
}
