//! A process that is started for every call and gets it as JSON.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use crate::call::{ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const NATIVE: Entry = Entry {
    key: "process-native",
    name: "Process, native",
    limits: "none",
    passing: "JSON through pipes",
};

pub const SHELL: Entry = Entry {
    key: "process-sh",
    name: "Process, `sh`",
    limits: "none",
    passing: "JSON through pipes, searched as text",
};

pub const PYTHON: Entry = Entry {
    key: "process-python",
    name: "Process, Python",
    limits: "none",
    passing: "JSON through pipes",
};

pub struct Process {
    program: PathBuf,
    script: Option<PathBuf>,
}

impl Process {
    /// Returns the program of this workspace, which is built beside this one.
    pub fn native(built: &Path) -> Self {
        Self {
            program: built.to_owned(),
            script: None,
        }
    }

    pub fn shell() -> Self {
        Self {
            program: "sh".into(),
            script: Some(guard("guard.sh")),
        }
    }

    /// Returns Python's interpreter itself: the `python3` in `PATH` may be a script that looks for it.
    pub fn python() -> anyhow::Result<Self> {
        let mut ask = Command::new("python3");
        ask.args(["-c", "import sys; print(sys.executable, end='')"]);
        let told = ask.output().context("there is no python3")?;
        Ok(Self {
            program: String::from_utf8(told.stdout)?.into(),
            script: Some(guard("guard.py")),
        })
    }
}

fn guard(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("guards")
        .join(name)
}

impl Contestant for Process {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let mut line = serde_json::to_vec(call)?;
        line.push(b'\n');
        let mut child = Command::new(&self.program)
            .args(&self.script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().context("no stdin")?;
        stdin.write_all(&line)?;
        drop(stdin);
        let ended = child.wait_with_output()?;
        if !ended.status.success() {
            bail!("{} ended with {}", self.program.display(), ended.status);
        }
        Ok(serde_json::from_slice(&ended.stdout)?)
    }
}
