//! `[stores]`: files that the agent writes.

use std::path::{Path, PathBuf};

use portcullis_agent::{CheckpointError, Journal, JournalError, SqliteCheckpoints};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::switch::Switch;

/// Files that the agent writes. Each is created if it does not exist.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Stores {
    /// The journal of hook runs; `false` records none.
    #[schemars(extend("x-if-left-out" = "a file in the user's state directory"))]
    pub journal: Option<Switch<PathBuf>>,
    /// The suspended turns.
    #[schemars(extend("x-if-left-out" = "none: a call that would wait is refused"))]
    pub checkpoints: Option<PathBuf>,
}

impl Stores {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(Switch::On(file)) = &mut self.journal {
            *file = dir.join(&*file);
        }
        if let Some(file) = &mut self.checkpoints {
            *file = dir.join(&*file);
        }
    }

    /// Opens the journal. The default is the front end's.
    pub(crate) fn journal(
        &self,
        default: Option<Journal>,
    ) -> Result<Option<Journal>, JournalError> {
        match &self.journal {
            Some(Switch::On(file)) => {
                make_parent(file);
                Journal::open(file).map(Some)
            }
            Some(Switch::Off) => Ok(None),
            None => Ok(default),
        }
    }

    pub(crate) fn checkpoints(&self) -> Result<Option<SqliteCheckpoints>, CheckpointError> {
        let Some(file) = &self.checkpoints else {
            return Ok(None);
        };
        make_parent(file);
        SqliteCheckpoints::open(file).map(Some)
    }
}

/// Makes the directory of a file. If that fails, opening the file says why.
pub(crate) fn make_parent(file: &Path) {
    if let Some(dir) = file.parent() {
        let _ = std::fs::create_dir_all(dir);
    }
}
