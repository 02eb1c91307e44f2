//! `[stores]`: files that the agent writes.

use std::path::{Path, PathBuf};

use portcullis_agent::{CheckpointError, Journal, JournalError, SqliteCheckpoints};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;
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

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        if let Some(Switch::On(file)) = &self.journal {
            faults.parent(&["stores", "journal"], file);
        }
        if let Some(file) = &self.checkpoints {
            faults.parent(&["stores", "checkpoints"], file);
        }
    }

    /// Opens the journal. The default is the front end's.
    pub(crate) fn journal(&self, default: Option<Journal>) -> Result<Option<Journal>, JournalError> {
        match &self.journal {
            Some(Switch::On(file)) => Journal::open(file).map(Some),
            Some(Switch::Off) => Ok(None),
            None => Ok(default),
        }
    }

    pub(crate) fn checkpoints(&self) -> Result<Option<SqliteCheckpoints>, CheckpointError> {
        let file = self.checkpoints.as_deref();
        file.map(SqliteCheckpoints::open).transpose()
    }
}
