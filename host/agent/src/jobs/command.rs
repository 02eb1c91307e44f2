//! Jobs that a command runs.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::{Job, JobError, JobHandler};
use crate::basics::text;
use crate::tool::child::{Group, in_own_group, set_env};

/// The most bytes of a failed command's standard error that its error quotes.
const QUOTED: usize = 500;

/// Runs a command for each job. It gets the job as one line of JSON on its standard input:
/// `{"name":…,"input":…,"hook":…,"session":…}`. A job fails if the command does not exit with 0.
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
        match tokio::time::timeout(self.timeout, self.run_to_end(&job)).await {
            Ok(ended) => ended,
            Err(_) => Err(JobError(format!(
                "`{}` was stopped after its time limit of {} ms",
                self.program.display(),
                self.timeout.as_millis()
            ))),
        }
    }
}

impl CommandJob {
    async fn run_to_end(&self, job: &Job) -> Result<(), JobError> {
        let failed = |what: &str, cause: &dyn std::fmt::Display| {
            JobError(format!("`{}` {what}: {cause}", self.program.display()))
        };
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.working_dir {
            command.current_dir(dir);
        }
        set_env(&mut command, &self.inherit_env);
        let child = in_own_group(command).spawn();
        let mut child = Group(child.map_err(|e| failed("cannot be started", &e))?);
        let line = json!({
            "name": job.name, "input": job.input, "hook": job.hook, "session": job.session_id,
        });
        let stdin = child.0.stdin().take();
        let stderr = child.0.stderr().take();
        // A command need not read its input.
        let write = async {
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(format!("{line}\n").as_bytes()).await;
            }
        };
        let ((), said, status) = tokio::join!(write, last_words(stderr), child.0.wait());
        let status = status.map_err(|e| failed("was lost", &e))?;
        match status.success() {
            true => Ok(()),
            false => Err(failed(&format!("failed with {status}"), &said)),
        }
    }
}

/// The first of what a command writes to its standard error. The rest is read and dropped.
async fn last_words(stderr: Option<tokio::process::ChildStderr>) -> String {
    use tokio::io::AsyncReadExt as _;
    let Some(mut stderr) = stderr else {
        return String::new();
    };
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(n @ 1..) = stderr.read(&mut buffer).await {
        let read = buffer.get(..n).unwrap_or_default();
        let room = QUOTED.saturating_sub(kept.len());
        kept.extend(read.iter().take(room));
    }
    let kept = String::from_utf8_lossy(&kept);
    portcullis::text::sanitize_for_terminal(text::cut(kept.trim(), QUOTED).as_ref())
}
