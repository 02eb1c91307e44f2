//! Jobs that a command runs.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;

use super::{Job, JobError, JobHandler};
use crate::tool::command::LineCommand;

/// Runs a command for each job. It gets the job as one line of JSON on its standard input:
/// `{"name":…,"input":…,"hook":…,"session":…,"attempt":…}`. A job fails if the command does not exit with 0.
///
/// The command runs with little more than `PATH`, `HOME` and the locale as its environment, because
/// the agent's environment may hold keys. The job's input may be a stranger's.
#[derive(Debug, Clone)]
pub struct CommandJob {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory it runs in. `None`: the agent's.
    pub working_dir: Option<PathBuf>,
    /// More variables that it inherits from the agent's environment.
    pub inherit_env: Vec<String>,
    /// How long it may run. Then its process group is stopped, and the job fails.
    pub timeout: Duration,
}

#[async_trait]
impl JobHandler for CommandJob {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        let command = LineCommand {
            program: &self.program,
            args: &self.args,
            working_dir: self.working_dir.as_ref(),
            inherit_env: &self.inherit_env,
            timeout: self.timeout,
        };
        let line = json!({
            "name": job.name, "input": job.input, "hook": job.hook, "session": job.session_id,
            "attempt": job.attempt,
        });
        command.run(&line, 0).await.map(drop).map_err(JobError)
    }
}
