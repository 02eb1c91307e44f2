//! A memory kept in SQLite: past turns, found by full-text search.

mod tables;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use portcullis::contract::ContentPart;
use rusqlite::Connection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::tables::{Owner, SCHEMA, insert, search};
use super::recall;
use super::{Memory, MemoryError, MemoryTurn};
use crate::basics::database::{self, SharedConnection};
use crate::basics::text;

/// How a [`SqliteMemory`] behaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SqliteMemoryConfig {
    /// The most bytes of text that a turn gets. Default: 4,096.
    pub max_context_bytes: usize,
    /// The most past turns that a turn gets. Default: 5.
    pub max_recalled: u32,
    /// The most bytes kept of an input, and of an output. Default: 16,384.
    pub max_kept_bytes: usize,
    /// The most turns kept for one user of one agent; the oldest are removed first. Default:
    /// 10,000.
    pub max_turns: u32,
}

impl Default for SqliteMemoryConfig {
    fn default() -> Self {
        Self {
            max_context_bytes: 4_096,
            max_recalled: 5,
            max_kept_bytes: 16_384,
            max_turns: 10_000,
        }
    }
}

/// A memory kept in an SQLite file.
///
/// It keeps the text of every turn that has an output. A new turn gets the past turns of the same
/// user and agent that share words with its input, best match first. Turns of the same session are
/// left out, because the conversation has them. Users are kept apart; sessions without a user share
/// one memory.
#[derive(Debug, Clone)]
pub struct SqliteMemory {
    connection: SharedConnection,
    config: SqliteMemoryConfig,
}

impl SqliteMemory {
    /// Opens the file. Creates it if it does not exist, readable only by its owner.
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is not a memory, or is from a newer version.
    pub fn open(path: impl AsRef<Path>, config: SqliteMemoryConfig) -> Result<Self, MemoryError> {
        let path = path.as_ref();
        let connection = database::open(path, &SCHEMA)
            .map_err(|e| MemoryError(format!("{}: {e}", path.display())))?;
        Ok(Self::new(connection, config))
    }

    fn new(connection: Connection, config: SqliteMemoryConfig) -> Self {
        Self {
            connection: SharedConnection::new(connection),
            config,
        }
    }

    /// Opens the file away from the async threads.
    ///
    /// # Errors
    ///
    /// See [`SqliteMemory::open`].
    pub async fn open_async(
        path: impl Into<PathBuf>,
        config: SqliteMemoryConfig,
    ) -> Result<Self, MemoryError> {
        let path = path.into();
        tokio::task::spawn_blocking(move || Self::open(path, config))
            .await
            .map_err(|e| MemoryError(e.to_string()))?
    }

    /// A memory that ends with its last clone.
    ///
    /// # Errors
    ///
    /// SQLite cannot be used at all.
    pub fn in_memory(config: SqliteMemoryConfig) -> Result<Self, MemoryError> {
        let connection =
            database::open_in_memory(&SCHEMA).map_err(|e| MemoryError(e.to_string()))?;
        Ok(Self::new(connection, config))
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, MemoryError> {
        let done = self.connection.run(work).await;
        done.map_err(|e| MemoryError(e.to_string()))?
            .map_err(|e| MemoryError(e.to_string()))
    }
}

#[async_trait]
impl Memory for SqliteMemory {
    async fn pre_turn_context(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        let Some(query) = recall::query(&text::joined(input)) else {
            return Ok(None);
        };
        let owner = Owner::from(turn);
        let most = self.config.max_recalled;
        let found = self
            .blocking(move |connection| search(connection, &owner, &query, most))
            .await?;
        Ok(recall::render(&found, self.config.max_context_bytes))
    }

    async fn post_turn_observe(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
        output: &[ContentPart],
    ) -> Result<(), MemoryError> {
        let owner = Owner::from(turn);
        let kept = |parts| text::cut(&text::joined(parts), self.config.max_kept_bytes).into_owned();
        let (input, output) = (kept(input), kept(output));
        let (number, most) = (turn.turn, self.config.max_turns);
        self.blocking(move |connection| insert(connection, &owner, number, &input, &output, most))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn<'a>(user: Option<&'a str>, session_id: &'a str) -> MemoryTurn<'a> {
        MemoryTurn {
            agent: "a",
            user,
            session_id,
            turn: 1,
        }
    }

    fn text(text: &str) -> [ContentPart; 1] {
        [ContentPart::Text(text.into())]
    }

    async fn recalled(memory: &SqliteMemory, turn: MemoryTurn<'_>, said: &str) -> String {
        let found = memory.pre_turn_context(turn, &text(said)).await.unwrap();
        found.unwrap_or_default()
    }

    #[tokio::test]
    async fn finds_the_turns_of_the_same_user_in_other_sessions() {
        let memory = SqliteMemory::in_memory(SqliteMemoryConfig::default()).unwrap();
        for (user, session, said, answered) in [
            (Some("ann"), "s1", "my cat is called Milo", "Nice name!"),
            (Some("bob"), "s2", "my cat is called Tom", "Classic."),
            (None, "s3", "nobody's cat", "Poor cat."),
        ] {
            memory
                .post_turn_observe(turn(user, session), &text(said), &text(answered))
                .await
                .unwrap();
        }
        let ann = recalled(&memory, turn(Some("ann"), "s9"), "what is my CAT called?").await;
        assert!(ann.contains("Milo") && ann.contains("Nice name!"), "{ann}");
        assert!(!ann.contains("Tom") && !ann.contains("nobody"), "{ann}");
        assert_eq!(
            recalled(&memory, turn(Some("ann"), "s1"), "my cat").await,
            ""
        );
        assert_eq!(recalled(&memory, turn(Some("ann"), "s9"), "dogs").await, "");
        assert!(
            recalled(&memory, turn(None, "s9"), "cat")
                .await
                .contains("nobody")
        );
        // What a user writes is never query syntax.
        recalled(&memory, turn(None, "s9"), "\" OR NEAR( * ' ; DROP").await;
    }

    #[tokio::test]
    async fn keeps_the_newest_and_survives_a_restart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.sqlite");
        let config = SqliteMemoryConfig {
            max_turns: 2,
            ..SqliteMemoryConfig::default()
        };
        let memory = SqliteMemory::open(&path, config.clone()).unwrap();
        for n in ["first", "second", "third"] {
            memory
                .post_turn_observe(turn(None, "s"), &text(&format!("note {n}")), &text("ok"))
                .await
                .unwrap();
        }
        drop(memory);
        let memory = SqliteMemory::open_async(&path, config).await.unwrap();
        let found = recalled(&memory, turn(None, "other"), "note").await;
        assert!(!found.contains("first") && found.contains("second") && found.contains("third"));
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.sqlite");
        SqliteMemory::open(&path, SqliteMemoryConfig::default()).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }

    #[test]
    fn refuses_unknown_files() {
        let dir = tempfile::tempdir().unwrap();
        let newer = dir.path().join("newer.sqlite");
        Connection::open(&newer)
            .and_then(|c| c.pragma_update(None, "user_version", 99))
            .unwrap();
        let error = SqliteMemory::open(&newer, SqliteMemoryConfig::default()).unwrap_err();
        assert!(error.to_string().contains("version 99"), "{error}");
        let text = dir.path().join("text");
        std::fs::write(&text, "x".repeat(4096)).unwrap();
        assert!(SqliteMemory::open(&text, SqliteMemoryConfig::default()).is_err());
    }
}
