//! Programs that receive one line of JSON on their standard input.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::child::{Group, in_own_group, set_env};
use crate::basics::text;

/// The maximum number of bytes of a failed program's standard error in its error.
const QUOTED: usize = 500;

/// A program that receives one line of JSON on its standard input, and the settings for running it.
///
/// Its environment has little more than `PATH`, `HOME` and the locale, because the agent's
/// environment may contain keys. The JSON may be untrusted.
#[derive(Debug, Clone)]
pub struct LineCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The working directory. `None` is the agent's.
    pub working_dir: Option<PathBuf>,
    /// Additional variables that it inherits from the agent's environment.
    pub inherit_env: Vec<String>,
    /// The time limit for one line. After it the program's process group is stopped, and the
    /// program has failed.
    pub timeout: Duration,
}

impl LineCommand {
    /// Runs the program until it ends or reaches its time limit. No process of its group remains in
    /// any case. Returns the first `most + 1` bytes of its standard output.
    ///
    /// # Errors
    ///
    /// The program cannot be started, takes too long, or does not exit with 0. Returns a
    /// description.
    pub async fn run(&self, input: &Value, most: usize) -> Result<Vec<u8>, String> {
        match tokio::time::timeout(self.timeout, self.run_to_end(input, most)).await {
            Ok(ended) => ended,
            Err(_) => Err(format!(
                "`{}` was stopped after its time limit of {} ms",
                self.program.display(),
                self.timeout.as_millis()
            )),
        }
    }

    async fn run_to_end(&self, input: &Value, most: usize) -> Result<Vec<u8>, String> {
        let failed = |what: &str, cause: &dyn std::fmt::Display| {
            format!("`{}` {what}: {cause}", self.program.display())
        };
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(dir) = &self.working_dir {
            command.current_dir(dir);
        }
        set_env(&mut command, &self.inherit_env);
        let child = in_own_group(command).spawn();
        let mut child = Group(child.map_err(|e| failed("cannot be started", &e))?);
        let stdin = child.0.stdin().take();
        let stdout = child.0.stdout().take();
        let stderr = child.0.stderr().take();
        // A program need not read its input.
        let write = async {
            if let Some(mut stdin) = stdin {
                let _ = stdin.write_all(format!("{input}\n").as_bytes()).await;
            }
        };
        let ((), out, said, status) = tokio::join!(
            write,
            first_bytes(stdout, most.saturating_add(1)),
            first_bytes(stderr, QUOTED),
            child.0.wait()
        );
        let status = status.map_err(|e| failed("was lost", &e))?;
        match status.success() {
            true => Ok(out),
            false => Err(failed(&format!("failed with {status}"), &quoted(&said))),
        }
    }
}

/// Returns the first bytes of a program's output. The rest is read and dropped.
async fn first_bytes(from: Option<impl AsyncRead + Unpin>, most: usize) -> Vec<u8> {
    let Some(mut from) = from else {
        return Vec::new();
    };
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer).await {
        let read = buffer.get(..n).unwrap_or_default();
        let room = most.saturating_sub(kept.len());
        kept.extend(read.iter().take(room));
    }
    kept
}

fn quoted(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    portcullis::text::sanitize_for_terminal(text::cut(said.trim(), QUOTED).as_ref())
}
