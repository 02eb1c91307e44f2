//! The turns that the memory keeps.
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
pub struct StoredTurns(Store);

impl Store {
    /// The turns that the memory keeps.
    pub fn past_turns(&self) -> StoredTurns {
        StoredTurns(self.clone())
    }
}

const SQLITE: &str = "SELECT memory.input, memory.output FROM memory_text
     JOIN memory ON memory.id = memory_text.rowid
     WHERE memory_text MATCH $1 AND memory.agent = $2 AND memory.person = $3
       AND memory.session <> $4
     ORDER BY bm25(memory_text), memory.id DESC LIMIT $5";

const POSTGRES: &str = "SELECT input, output FROM memory, to_tsquery('simple', $1) query
     WHERE words @@ query AND agent = $2 AND person = $3 AND session <> $4
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
        let found = self.0.run(|database| async move {
            let (sql, query) = match database.kind() {
                Kind::Sqlite => (SQLITE, fts5),
                Kind::Postgres => (POSTGRES, tsquery),
            };
            let select = sqlx::query(sql).bind(query).bind(agent).bind(person);
            let select = select.bind(session).bind(i64::from(most));
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
        let kept = self.0.run(|database| async move {
            let mut transaction = database.write().await?;
            let sql = "INSERT INTO memory (at_ms, agent, person, session, turn, input, output)
                       VALUES ($1, $2, $3, $4, $5, $6, $7)";
            let insert = sqlx::query(sql)
                .bind(signed(now_ms()))
                .bind(&agent)
                .bind(&person)
                .bind(session)
                .bind(number)
                .bind(storable(&text.input))
                .bind(storable(&text.output));
            insert.execute(&mut *transaction).await?;
            let sql = "DELETE FROM memory WHERE agent = $1 AND person = $2 AND id < (
                           SELECT id FROM memory WHERE agent = $1 AND person = $2
                           ORDER BY id DESC LIMIT 1 OFFSET $3)";
            let oldest = i64::from(most.saturating_sub(1));
            let delete = sqlx::query(sql).bind(agent).bind(person).bind(oldest);
            delete.execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok::<_, StoreError>(())
        });
        kept.await.map_err(|e| MemoryError(e.to_string()))
    }
}

/// The agent, the user and the session of a turn.
fn owner(turn: MemoryTurn<'_>) -> [String; 3] {
    let user = turn.user.unwrap_or_default();
    [turn.agent, user, turn.session_id].map(storable)
}
