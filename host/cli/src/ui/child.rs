//! Continuing turns in processes of their own. The failure of a process ends no page, and the
//! process outlives the server.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use anyhow::Context as _;
use futures::future::BoxFuture;
use portcullis::text::sanitize_for_terminal;
use portcullis_agent_file::{ApprovalMode, Approvals};
use portcullis_ui::{Continue, Continued};

use crate::store::{VARIABLE, Where};

/// The exit code of a turn that is suspended again.
const SUSPENDED: i32 = 3;

/// The number of bytes shown from the end of a process's output.
const SAID: u64 = 600;

/// Starts `portcullis resume`, or `portcullis run` for a turn that was interrupted.
pub(super) struct Command {
    program: PathBuf,
    options: Vec<String>,
    /// The URL of the store. It is passed in the environment, since it may hold a password.
    store: Option<String>,
}

impl Command {
    pub(super) fn new(store: &Where, more: Vec<String>) -> anyhow::Result<Self> {
        let mut options = Vec::new();
        if let Some(path) = store.agent_path() {
            options.extend(["--agent".to_owned(), path.display().to_string()]);
        }
        // There is no terminal: further questions appear on the page.
        let agent = store.agent()?;
        // Workers decide who answers in the turns that they run.
        let asks = agent.restate.is_none() && agent.approvals == Approvals::By(ApprovalMode::Ask);
        let is_named =
            |option: &String| option == "--approvals" || option.starts_with("--approvals=");
        if asks && !more.iter().any(is_named) {
            options.extend(["--approvals", "defer"].map(str::to_owned));
        }
        options.extend(more);
        Ok(Self {
            program: std::env::current_exe().context("the program does not exist any more")?,
            options,
            store: store.text().map(str::to_owned),
        })
    }
}

impl Continue for Command {
    fn continued(&self, turn: Continued) -> BoxFuture<'static, Result<(), String>> {
        let mut command = tokio::process::Command::new(&self.program);
        match &turn {
            Continued::Suspended(id) => command.args(["resume", &id.to_string()]),
            Continued::Interrupted(session) => {
                command.arg("run").arg(format!("--session={session}"))
            }
            _ => return Box::pin(async { Err("it cannot be continued here".to_owned()) }),
        };
        command
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if let Some(store) = &self.store {
            command.env(VARIABLE, store);
        }
        // Ctrl-C ends the server, but not the turns.
        #[cfg(unix)]
        command.process_group(0);
        Box::pin(async move {
            let ended = async {
                // After the server has ended, writing to a pipe would fail, and with it the turn.
                let mut said = tempfile::tempfile()?;
                command.stderr(Stdio::from(said.try_clone()?));
                let status = command.spawn()?.wait().await?;
                match is_continued(status) {
                    true => Ok(None),
                    false => Ok(Some(last(&mut said)?)),
                }
            };
            let ended: io::Result<Option<String>> = ended.await;
            match ended.map_err(|error| error.to_string())? {
                None => Ok(()),
                Some(said) => Err(said),
            }
        })
    }
}

fn is_continued(status: ExitStatus) -> bool {
    status.success() || status.code() == Some(SUSPENDED)
}

/// Returns the end of a process's output, on one line.
fn last(said: &mut File) -> io::Result<String> {
    let length = said.seek(SeekFrom::End(0))?;
    said.seek(SeekFrom::Start(length.saturating_sub(SAID)))?;
    let mut bytes = Vec::new();
    said.take(SAID).read_to_end(&mut bytes)?;
    // The first character may be cut.
    let from = bytes.iter().position(|byte| byte & 0xc0 != 0x80);
    let text = String::from_utf8_lossy(bytes.get(from.unwrap_or_default()..).unwrap_or_default());
    Ok(sanitize_for_terminal(&text.trim().replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn the_end_of_what_a_process_said_is_shown() {
        let mut file = tempfile::tempfile().expect("a file");
        assert_eq!(last(&mut file).expect("a text"), "");
        let said = "é much\n".repeat(1_000) + "error: no model\nanswers\n";
        file.write_all(said.as_bytes()).expect("the lines");
        let shown = last(&mut file).expect("a text");
        assert!(shown.ends_with("é much error: no model answers"), "{shown}");
        assert!(shown.len() < 600 && !shown.contains('\u{fffd}'), "{shown}");
    }
}
