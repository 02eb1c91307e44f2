//! Where jobs are kept until they have ended.

use async_trait::async_trait;

use super::Job;

/// The most times that a job is started, if its process ends each time before the job does. The job
/// is then given up, because it may be the cause.
pub const MAX_JOB_ATTEMPTS: u32 = 3;

/// The number of a job in its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub i64);

/// Jobs of processes that ended before the jobs did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TakenOver {
    /// The jobs to run again, the oldest first. They are this process's now.
    pub again: Vec<(JobId, Job)>,
    /// The jobs that were started [`MAX_JOB_ATTEMPTS`] times. They are recorded as failed.
    pub given_up: Vec<Job>,
}

/// The store of jobs failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the store of jobs failed: {0}")]
pub struct JobStoreError(pub String);

/// A store of one agent's jobs.
#[async_trait]
pub trait JobStore: Send + Sync {
    /// Adds a job that will run in this process. It is durable when this returns.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn add(&self, job: &Job) -> Result<JobId, JobStoreError>;

    /// Records that the job is started, and returns which attempt it is, counted from 1. `None`: the job
    /// was deleted, or it is another process's.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn start(&self, id: JobId) -> Result<Option<u32>, JobStoreError>;

    /// Records that the job has ended, and why it failed if it did.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn end(&self, id: JobId, error: Option<&str>) -> Result<(), JobStoreError>;

    /// Takes over jobs of these names whose process has ended, but not more than `most` to run.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn take_over(&self, names: &[&str], most: usize) -> Result<TakenOver, JobStoreError>;
}
