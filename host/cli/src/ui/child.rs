//! Turns are continued by a process of their own: what goes wrong in one ends no page, and it outlives the server.

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

/// How many bytes of what a process says are kept, the last ones.
const SAID: usize = 600;

/// Starts `portcullis resume`, or `portcullis run` for a turn that was interrupted.
pub(super) struct Command {
    program: PathBuf,
    options: Vec<String>,
    /// In the environment, since it may hold a password.
    store: Option<String>,
}

impl Command {
    pub(super) fn new(store: &Where, more: Vec<String>) -> anyhow::Result<Self> {
        let mut options = Vec::new();
        if let Some(path) = store.agent_path() {
            options.extend(["--agent".to_owned(), path.display().to_string()]);
        }
        // Nobody is at a terminal: further questions come back to the page.
        let asks = store.agent()?.approvals == Approvals::By(ApprovalMode::Ask);
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
            Continued::Interrupted(session) => command.args(["run", "--session", session]),
            _ => return Box::pin(async { Err("it cannot be continued here".to_owned()) }),
        };
        command
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if let Some(store) = &self.store {
            command.env(VARIABLE, store);
        }
        // Ctrl-C ends the server, and no turn.
        #[cfg(unix)]
        command.process_group(0);
        let started = command.spawn();
        Box::pin(async move {
            let ended = started.map_err(|error| error.to_string())?;
            let ended = ended.wait_with_output().await;
            let ended = ended.map_err(|error| error.to_string())?;
            match is_continued(ended.status) {
                true => Ok(()),
                false => Err(last(&ended.stderr)),
            }
        })
    }
}

fn is_continued(status: ExitStatus) -> bool {
    status.success() || status.code() == Some(SUSPENDED)
}

/// The end of what a process said, on one line.
fn last(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let text = text.trim();
    let from = text.ceil_char_boundary(text.len().saturating_sub(SAID));
    sanitize_for_terminal(&text.get(from..).unwrap_or_default().replace('\n', " "))
}
