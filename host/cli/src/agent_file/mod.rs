//! `agent.toml` on the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use portcullis::hooks::{HooksError, Progress};
use portcullis_agent_file::{AgentFile, FILE_NAME, LoadedHooks, StartError};
use portcullis_store::Store;

use crate::terminal::progress::LoadBar;

/// The `agent.toml` to read.
#[derive(Debug, Args)]
pub struct AgentArg {
    /// The file that defines the agent. Default: `agent.toml` in the working directory, if there is
    /// one.
    #[arg(long, value_name = "FILE")]
    agent: Option<PathBuf>,
}

impl AgentArg {
    /// Returns the file that the option names, or that was found.
    pub fn path(&self) -> Option<PathBuf> {
        let usual = || Some(PathBuf::from(FILE_NAME)).filter(|path| path.exists());
        self.agent.clone().or_else(usual)
    }

    /// Reads the file; `None` if none is named and none is found.
    pub fn load(&self) -> Result<Option<AgentFile>, StartError> {
        self.path().as_deref().map(load).transpose()
    }
}

/// Reads a file.
pub fn load(path: &Path) -> Result<AgentFile, StartError> {
    AgentFile::load(path).map_err(StartError::Faults)
}

/// Loads the hooks of an agent and its sub-agents, whose state is kept in the store, and shows progress.
pub fn load_hooks(file: &AgentFile, store: Option<&Store>) -> Result<LoadedHooks, HooksError> {
    let bar = LoadBar::hidden();
    let progress = |progress: Progress<'_>| bar.update(progress);
    file.load_hooks(&crate::compiler::child(), store, &progress)
}
