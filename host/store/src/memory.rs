//! The past turns of the memory.
//!
//! Both databases search by words: SQLite with FTS5, PostgreSQL with its text search.

use std::collections::BTreeSet;

use async_trait::async_trait;
use portcullis_agent::{MemoryError, MemoryTurn, PastTurn, PastTurns};
use sqlx::Row as _;

use crate::database::{Kind, now_ms, signed, storable};
use crate::error::StoreError;
use crate::store::Store;

/// The past turns in a [`Store`], for a [`RecallMemory`](portcullis_agent::RecallMemory). Cheap to
/// clone.
#[derive(Debug, Clone)]
pub struct StoredTurns {
    store: Store,
    /// The directory that turns are stored with; empty for none.
    kept_for: String,
    /// The directory whose turns are found; `None` for all.
    found_in: Option<String>,
}

impl Store {
    /// Returns the past turns of the memory. Turns are stored without a directory, and found in all
    /// directories.
    pub fn past_turns(&self) -> StoredTurns {
        StoredTurns {
            store: self.clone(),
            kept_for: String::new(),
            found_in: None,
        }
    }
}

impl StoredTurns {
    /// Turns are stored with this directory, and only turns of this directory are found.
    pub fn in_directory(self, working_dir: &str) -> Self {
        Self {
            store: self.store,
            kept_for: storable(working_dir),
            found_in: Some(storable(working_dir)),
        }
    }

    /// Turns of all directories are found.
    pub fn of_all_directories(self) -> Self {
        Self {
            found_in: None,
            ..self
        }
    }
}

const SQLITE: &str = "SELECT memory.input, memory.output FROM memory_text
     JOIN memory ON memory.id = memory_text.rowid
     WHERE memory_text MATCH $1 AND memory.agent = $2 AND memory.person = $3
       AND memory.session <> $4 AND ($6 IS NULL OR memory.working_dir = $6)
     ORDER BY bm25(memory_text), memory.id DESC LIMIT $5";

const POSTGRES: &str = "SELECT input, output FROM memory, to_tsquery('simple', $1) query
     WHERE words @@ query AND agent = $2 AND person = $3 AND session <> $4
       AND ($6::TEXT IS NULL OR working_dir = $6)
     ORDER BY ts_rank_cd(words, query, 1) DESC, id DESC LIMIT $5";

#[async_trait]
impl PastTurns for StoredTurns {
    async fn search(
        &self,
        turn: MemoryTurn<'_>,
        words: &BTreeSet<String>,
        most: u32,
    ) -> Result<Vec<PastTurn>, MemoryError> {
        // Each word is quoted, so that it is never syntax.
        let quoted = |quote, or| {
            let words: Vec<String> = words.iter().map(|w| format!("{quote}{w}{quote}")).collect();
            words.join(or)
        };
        let (fts5, tsquery) = (quoted('"', " OR "), quoted('\'', " | "));
        let [agent, person, session] = owner(turn);
        let found_in = self.found_in.clone();
        let found = self.store.run(|database| async move {
            let (sql, query) = match database.kind() {
                Kind::Sqlite => (SQLITE, fts5),
                Kind::Postgres => (POSTGRES, tsquery),
            };
            let select = sqlx::query(sql).bind(query).bind(agent).bind(person);
            let select = select.bind(session).bind(i64::from(most)).bind(found_in);
            let rows = select.fetch_all(database.pool()).await?;
            let turns = rows.iter().map(|row| {
                Ok(PastTurn {
                    input: row.try_get(0)?,
                    output: row.try_get(1)?,
                })
            });
            turns.collect::<Result<_, StoreError>>()
        });
        found.await.map_err(|e| MemoryError(e.to_string()))
    }

    async fn keep(
        &self,
        turn: MemoryTurn<'_>,
        text: PastTurn,
        most: u32,
    ) -> Result<(), MemoryError> {
        let [agent, person, session] = owner(turn);
        let number = i64::from(turn.turn);
        let working_dir = self.kept_for.clone();
        let kept = self.store.run(|database| async move {
            let mut transaction = database.write().await?;
            let sql = "INSERT INTO memory (at_ms, agent, person, session, turn, input, output, working_dir)
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
            let insert = sqlx::query(sql)
                .bind(signed(now_ms()))
                .bind(&agent)
                .bind(&person)
                .bind(session)
                .bind(number)
                .bind(storable(&text.input))
                .bind(storable(&text.output))
                .bind(&working_dir);
            insert.execute(&mut *transaction).await?;
            // Even if turns of all directories are found: this memory must not delete turns of
            // other directories.
            let sql = "DELETE FROM memory WHERE agent = $1 AND person = $2 AND working_dir = $3 AND id < (
                           SELECT id FROM memory WHERE agent = $1 AND person = $2 AND working_dir = $3
                           ORDER BY id DESC LIMIT 1 OFFSET $4)";
            let oldest = i64::from(most.saturating_sub(1));
            let delete = sqlx::query(sql)
                .bind(agent)
                .bind(person)
                .bind(working_dir)
                .bind(oldest);
            delete.execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok::<_, StoreError>(())
        });
        kept.await.map_err(|e| MemoryError(e.to_string()))
    }
}

/// Returns the agent, the user and the session of a turn.
fn owner(turn: MemoryTurn<'_>) -> [String; 3] {
    let user = turn.user.unwrap_or_default();
    [turn.agent, user, turn.session_id].map(storable)
}
