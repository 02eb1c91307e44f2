//! `run_command`

mod capture;

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use portcullis::trace::TraceContext;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;

use self::capture::Capture;
use super::args::parse;
use crate::tool::child::{Group, in_own_group, set_env};
use crate::tool::{Tool, ToolError, ToolOutput, ToolProgress, ToolRun};

/// The time for which output is read after the command has ended. A process that it started may
/// keep the pipe open forever.
const LAST_OUTPUT: Duration = Duration::from_millis(200);

/// Runs a shell command in the working directory.
///
/// It runs within the grant's time limit, without input, and with little more than `PATH`, `HOME`
/// and the locale as its environment, because the agent's environment may hold keys. When it ends,
/// is stopped or is cancelled, its whole process group is stopped. A command can leave the working
/// directory, so allow this tool only if it may access the whole machine.
#[derive(Debug, Clone, Default)]
pub struct RunCommand {
    /// Additional variables that commands inherit from the agent's environment. Default: none.
    pub inherit_env: Vec<String>,
}

#[derive(Deserialize)]
struct Arguments {
    command: String,
}

#[async_trait]
impl Tool for RunCommand {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "run_command".into(),
            description: "Runs a shell command in the working directory and returns what it \
                          prints. It has no input. Commands that take too long are stopped."
                .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "command": { "type": "string", "description": "The command line for the shell." }
                },
                "required": ["command"],
                "additionalProperties": false
            })
            .to_string(),
        }
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let Arguments { command } = parse(arguments)?;
        let mut child = self.spawn(&command, &run)?;
        let mut capture = Capture::default();
        let ended = tokio::time::timeout(
            run.grant.timeout,
            watch(&mut child, &mut capture, &run.progress),
        )
        .await;
        drop(child);
        match ended {
            Ok(Ok(status)) => Ok(report(capture, status)),
            Ok(Err(e)) => Err(ToolError::Failed(format!("the command was lost: {e}"))),
            Err(_) => Ok(ToolOutput::error(format!(
                "{}\n[stopped after the time limit of {} ms]",
                capture.into_text(),
                run.grant.timeout.as_millis()
            ))),
        }
    }
}

/// The variable with the key of a durable turn's call.
const KEY_VARIABLE: &str = "PORTCULLIS_IDEMPOTENCY_KEY";

impl RunCommand {
    fn spawn(&self, line: &str, run: &ToolRun) -> Result<Group, ToolError> {
        let (shell, flag) = if cfg!(windows) {
            ("cmd", "/C")
        } else {
            ("sh", "-c")
        };
        let mut command = Command::new(shell);
        command
            .arg(flag)
            .arg(line)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &run.grant.working_dir {
            command.current_dir(dir);
        }
        set_env(&mut command, &self.inherit_env);
        if let Some(key) = &run.key {
            command.env(KEY_VARIABLE, key);
        }
        command.envs(run.trace.iter().flat_map(TraceContext::variables));
        in_own_group(command)
            .spawn()
            .map(Group)
            .map_err(|e| ToolError::Failed(format!("the command could not be started: {e}")))
    }
}

/// Reads a command's output until it ends.
async fn watch(
    child: &mut Group,
    capture: &mut Capture,
    progress: &ToolProgress,
) -> std::io::Result<ExitStatus> {
    let (stdout, stderr) = (child.0.stdout().take(), child.0.stderr().take());
    let mut output = std::pin::pin!(read_both(stdout, stderr, capture, progress));
    let status = tokio::select! {
        () = &mut output => return child.0.wait().await,
        status = child.0.wait() => status?,
    };
    let _ = tokio::time::timeout(LAST_OUTPUT, output).await;
    Ok(status)
}

/// Reads both pipes into one text, in the order it arrives.
async fn read_both(
    mut stdout: Option<impl AsyncRead + Unpin>,
    mut stderr: Option<impl AsyncRead + Unpin>,
    capture: &mut Capture,
    progress: &ToolProgress,
) {
    let (mut out, mut err) = ([0; 4096], [0; 4096]);
    while stdout.is_some() || stderr.is_some() {
        let read: &[u8] = tokio::select! {
            n = read(&mut stdout, &mut out), if stdout.is_some() => out.get(..n).unwrap_or_default(),
            n = read(&mut stderr, &mut err), if stderr.is_some() => err.get(..n).unwrap_or_default(),
        };
        capture.push(read);
        if progress.is_heard() && !read.is_empty() {
            progress.update(&String::from_utf8_lossy(read));
        }
    }
}

/// Reads the available bytes. Drops a pipe that has ended.
async fn read(pipe: &mut Option<impl AsyncRead + Unpin>, buffer: &mut [u8]) -> usize {
    let read = match pipe.as_mut() {
        Some(open) => open.read(buffer).await.unwrap_or(0),
        None => 0,
    };
    if read == 0 {
        *pipe = None;
    }
    read
}

fn report(capture: Capture, status: ExitStatus) -> ToolOutput {
    let mut text = capture.into_text();
    if text.is_empty() {
        text.push_str("[no output]");
    }
    match status.code() {
        Some(0) => ToolOutput::ok(text),
        Some(code) => ToolOutput::error(format!("{text}\n[exit code {code}]")),
        None => ToolOutput::error(format!("{text}\n[ended by a signal]")),
    }
}

#[cfg(all(test, unix))]
mod tests {

    use super::*;
    use crate::policy::ExecutionGrant;
    use crate::tool::builtin::write_file::tests::{in_dir, says};

    fn line(command: &str) -> Value {
        json!({ "command": command })
    }

    async fn within(ms: u64, command: &str) -> Result<ToolOutput, ToolError> {
        let grant = ExecutionGrant {
            working_dir: None,
            timeout: Duration::from_millis(ms),
        };
        RunCommand::default()
            .execute(line(command), ToolRun::detached(grant))
            .await
    }

    #[tokio::test]
    async fn runs_in_the_working_directory_and_reports_the_exit_code() {
        let dir = tempfile::tempdir().unwrap();
        let run = |command: &'static str| in_dir_owned(dir.path().to_owned(), command);
        let cwd = says(run("pwd").await);
        assert!(
            cwd.trim()
                .ends_with(dir.path().file_name().unwrap().to_str().unwrap())
        );
        let failed = run("echo out; echo err >&2; exit 3").await.unwrap();
        assert!(failed.is_error);
        assert!(failed.content.contains("out") && failed.content.contains("err"));
        assert!(failed.content.ends_with("[exit code 3]"));
        assert_eq!(says(run("true").await), "[no output]");
        assert_eq!(says(run("cat").await), "[no output]", "there is no input");
    }

    async fn in_dir_owned(dir: std::path::PathBuf, command: &str) -> Result<ToolOutput, ToolError> {
        in_dir(&RunCommand::default(), &dir, line(command)).await
    }

    #[tokio::test]
    async fn a_timeout_stops_the_whole_group() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let command = format!("echo begun; (sleep 3; touch {}) & wait", mark.display());
        let output = within(1_000, &command).await.unwrap();
        assert!(output.is_error);
        assert!(output.content.contains("begun") && output.content.contains("1000 ms"));
        tokio::time::sleep(Duration::from_millis(2_500)).await;
        assert!(!mark.exists(), "the background child continued");
    }

    #[tokio::test]
    async fn processes_left_running_do_not_delay_a_command() {
        let output = within(5_000, "sleep 30 & echo done").await;
        assert_eq!(says(output).trim(), "done");
    }

    #[tokio::test]
    async fn a_dropped_call_stops_the_command() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let command = format!("sleep 1; touch {}", mark.display());
        let call = within(10_000, &command);
        assert!(
            tokio::time::timeout(Duration::from_millis(100), call)
                .await
                .is_err()
        );
        tokio::time::sleep(Duration::from_millis(1_300)).await;
        assert!(!mark.exists());
    }

    #[tokio::test]
    async fn floods_are_cut() {
        let output = within(10_000, "yes | head -c 1000000; echo end")
            .await
            .unwrap();
        assert!(output.content.len() < 100_000);
        assert!(output.content.contains("bytes cut") && output.content.trim_end().ends_with("end"));
    }

    #[tokio::test]
    async fn the_environment_is_not_inherited() {
        // Cargo sets this for tests. It represents a key.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let output = within(5_000, "echo \"[$CARGO_MANIFEST_DIR] ${PATH:+path}\"").await;
        assert_eq!(says(output).trim(), "[] path");
    }
}
