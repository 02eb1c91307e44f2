//! `[memory]`: what the agent remembers over sessions.

use std::path::{Path, PathBuf};

use portcullis_agent::{MemoryError, SqliteMemory, SqliteMemoryConfig};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::faults::Faults;
use crate::stores::make_parent;

/// What the agent remembers over sessions. Without this table it remembers nothing.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Memory {
    /// The file of past turns. Required. It is created if it does not exist.
    pub file: Option<PathBuf>,
    /// How much is kept and recalled.
    pub limits: SqliteMemoryConfig,
}

impl Memory {
    pub(crate) fn resolve(&mut self, dir: &Path) {
        if let Some(file) = &mut self.file {
            *file = dir.join(&*file);
        }
    }

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        let why = "name the file of past turns";
        faults.required(&["memory"], "file", self.file.is_some(), why);
    }

    pub(crate) async fn open(&self) -> Result<Option<SqliteMemory>, MemoryError> {
        match &self.file {
            Some(file) => {
                make_parent(file);
                let memory = SqliteMemory::open_async(file, self.limits.clone()).await?;
                Ok(Some(memory))
            }
            None => Ok(None),
        }
    }
}
