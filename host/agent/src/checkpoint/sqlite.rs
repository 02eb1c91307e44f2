//! Checkpoints kept in SQLite.

mod row;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use rusqlite::Connection;

use self::tables::SCHEMA;
use super::{
    Checkpoint, CheckpointError, CheckpointId, CheckpointInfo, CheckpointStore, NewCheckpoint,
    Resolution,
};
use crate::basics::database::{self, SharedConnection};

/// Checkpoints kept in an SQLite file. Cheap to clone; several processes may share a file.
#[derive(Debug, Clone)]
pub struct SqliteCheckpoints {
    connection: SharedConnection,
}

impl SqliteCheckpoints {
    /// Opens the file. Creates it if it does not exist, readable only by its owner.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is not a store of checkpoints, or is from a newer version.
    pub fn open(path: &Path) -> Result<Self, CheckpointError> {
        let at = |cause: String| CheckpointError::Store(format!("{}: {cause}", path.display()));
        let connection = database::open(path, &SCHEMA).map_err(|e| at(e.to_string()))?;
        // With NORMAL, which is usual for WAL, a power failure could lose a turn that was saved.
        connection
            .pragma_update(None, "synchronous", "FULL")
            .map_err(|e| at(e.to_string()))?;
        Ok(Self::over(connection))
    }

    /// A store in memory, which ends with its last clone.
    ///
    /// # Errors
    ///
    /// SQLite cannot be used at all.
    pub fn in_memory() -> Result<Self, CheckpointError> {
        let connection =
            database::open_in_memory(&SCHEMA).map_err(|e| CheckpointError::Store(e.to_string()))?;
        Ok(Self::over(connection))
    }

    fn over(connection: Connection) -> Self {
        Self {
            connection: SharedConnection::new(connection),
        }
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, CheckpointError> + Send + 'static,
    ) -> Result<T, CheckpointError> {
        let done = self.connection.run(work).await;
        done.map_err(|e| CheckpointError::Store(e.to_string()))?
    }
}

#[async_trait]
impl CheckpointStore for SqliteCheckpoints {
    async fn save(&self, new: NewCheckpoint) -> Result<CheckpointId, CheckpointError> {
        self.blocking(move |connection| tables::save(connection, &new))
            .await
    }

    async fn resolve(
        &self,
        id: &CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> Result<(), CheckpointError> {
        let id = id.clone();
        self.blocking(move |connection| tables::resolve(connection, &id, resolutions))
            .await
    }

    async fn get(&self, id: &CheckpointId) -> Result<CheckpointInfo, CheckpointError> {
        let id = id.clone();
        self.blocking(move |connection| tables::get(connection, &id))
            .await
    }

    async fn claim(&self, id: &CheckpointId) -> Result<Checkpoint, CheckpointError> {
        let id = id.clone();
        self.blocking(move |connection| tables::claim(connection, &id))
            .await
    }

    async fn release(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        let id = id.clone();
        self.blocking(move |connection| tables::release(connection, &id))
            .await
    }

    async fn list(&self, session: Option<&str>) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        let session = session.map(str::to_owned);
        self.blocking(move |connection| tables::list(connection, session.as_deref()))
            .await
    }

    async fn claimed(&self) -> Result<Vec<CheckpointInfo>, CheckpointError> {
        self.blocking(|connection| tables::claimed(connection))
            .await
    }

    async fn discard(&self, id: &CheckpointId) -> Result<(), CheckpointError> {
        let id = id.clone();
        self.blocking(move |connection| tables::discard(connection, &id))
            .await
    }
}

impl From<rusqlite::Error> for CheckpointError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.to_string())
    }
}
