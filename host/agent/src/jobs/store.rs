//! The store of unfinished jobs.

use async_trait::async_trait;

use super::Job;

/// The maximum number of times that a job is started, if its process ends each time. The job is
/// then abandoned, because it may be the cause.
pub const MAX_JOB_ATTEMPTS: u32 = 3;

/// The number of a job in its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct JobId(pub i64);

/// Unfinished jobs of processes that ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TakenOver {
    /// The jobs to run again, the oldest first. This process now owns them.
    pub again: Vec<(JobId, Job)>,
    /// The jobs that were started [`MAX_JOB_ATTEMPTS`] times. They are recorded as failed.
    pub given_up: Vec<Job>,
}

/// The error that the store of jobs failed.
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

    /// Records that the job is started, and returns the number of the attempt, counted from 1.
    /// `None` if the job was deleted or is another process's.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn start(&self, id: JobId) -> Result<Option<u32>, JobStoreError>;

    /// Records that the job has ended, with the error if it failed.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn end(&self, id: JobId, error: Option<&str>) -> Result<(), JobStoreError>;

    /// Takes over unfinished jobs with these names whose process has ended. At most `most` of them
    /// are to run.
    ///
    /// # Errors
    ///
    /// The store failed.
    async fn take_over(&self, names: &[&str], most: usize) -> Result<TakenOver, JobStoreError>;
}
