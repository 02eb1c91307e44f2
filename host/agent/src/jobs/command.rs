//! Jobs that run a command.

use async_trait::async_trait;
use serde_json::json;

use super::{Job, JobError, JobHandler};
use crate::tool::LineCommand;

/// Runs a command for each job. The command receives the job as one line of JSON on its standard
/// input: `{"name":…,"input":…,"hook":…,"session":…,"attempt":…}`. A job fails if the command does
/// not exit with 0.
#[derive(Debug, Clone)]
pub struct CommandJob(pub LineCommand);

#[async_trait]
impl JobHandler for CommandJob {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        let line = json!({
            "name": job.name, "input": job.input, "hook": job.hook, "session": job.session_id,
            "attempt": job.attempt,
        });
        self.0.run(&line, 0).await.map(drop).map_err(JobError)
    }
}
