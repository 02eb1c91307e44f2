//! The journal's file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use directories::ProjectDirs;
use portcullis_agent::Journal;

/// Where hook runs are recorded.
#[derive(Debug, Args)]
pub struct JournalFile {
    /// The journal of hook runs. Default: a file in the user's state directory.
    #[arg(long, value_name = "FILE", env = "PORTCULLIS_JOURNAL")]
    journal: Option<PathBuf>,
}

impl JournalFile {
    /// The file; `None` if there is none and the user has no state directory.
    pub fn path(&self) -> Option<PathBuf> {
        self.journal.clone().or_else(users)
    }

    /// The file, if one is named.
    pub fn named(&self) -> Option<&Path> {
        self.journal.as_deref()
    }
}

/// Opens the user's journal. It may fail to open, with a warning.
pub fn open_users() -> Option<Journal> {
    let opened = open(&users()?);
    let failed = |error| tracing::warn!("hook runs are not recorded: {error:#}");
    opened.map_err(failed).ok()
}

/// Opens a journal, and creates its directory if necessary.
pub fn open(file: &Path) -> anyhow::Result<Journal> {
    if let Some(dir) = file.parent() {
        std::fs::create_dir_all(dir)
            .with_context(|| format!("the directory of the journal, {}", dir.display()))?;
    }
    Ok(Journal::open(file)?)
}

fn users() -> Option<PathBuf> {
    let dirs = ProjectDirs::from("", "", "portcullis")?;
    let dir = dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir());
    Some(dir.join("journal.sqlite"))
}
