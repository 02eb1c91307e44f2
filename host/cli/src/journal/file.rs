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

    /// Opens it for writing. The default file may fail to open, with a warning; a named one may not.
    pub fn open(&self) -> anyhow::Result<Option<Journal>> {
        match (&self.journal, users()) {
            (Some(file), _) => open(file).map(Some),
            (None, Some(file)) => match open(&file) {
                Ok(journal) => Ok(Some(journal)),
                Err(error) => {
                    tracing::warn!("hook runs are not recorded: {error:#}");
                    Ok(None)
                }
            },
            (None, None) => Ok(None),
        }
    }
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
