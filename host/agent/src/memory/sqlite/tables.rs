//! The tables: how they are made, searched and filled.

use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use crate::memory::MemoryTurn;
use crate::memory::recall::Found;

/// The version of the tables below, kept in the file's `user_version`.
const SCHEMA_VERSION: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE turns (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL DEFAULT (unixepoch()),
        agent TEXT NOT NULL,
        user TEXT NOT NULL,
        session TEXT NOT NULL,
        turn INTEGER NOT NULL,
        input TEXT NOT NULL,
        output TEXT NOT NULL
    );
    CREATE INDEX turns_by_user ON turns (agent, user);
    CREATE VIRTUAL TABLE turns_text USING fts5 (
        input, output, content = 'turns', content_rowid = 'id', tokenize = 'unicode61'
    );
    CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
        INSERT INTO turns_text (rowid, input, output) VALUES (new.id, new.input, new.output);
    END;
    CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
        INSERT INTO turns_text (turns_text, rowid, input, output)
        VALUES ('delete', old.id, old.input, old.output);
    END;
";

/// Makes the tables, or finds that they are there.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), String> {
    let version = version_of(connection).map_err(|e| e.to_string())?;
    match version {
        0 => create(connection).map_err(|e| e.to_string()),
        SCHEMA_VERSION => Ok(()),
        newer => Err(format!(
            "its tables are of version {newer}, and this program knows only {SCHEMA_VERSION}"
        )),
    }
}

fn version_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been quicker.
    if version_of(&transaction)? == 0 {
        transaction.execute_batch(SCHEMA)?;
        transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    transaction.commit()
}

/// Whose turns they are.
pub(super) struct Owner {
    agent: String,
    user: String,
    session: String,
}

impl From<MemoryTurn<'_>> for Owner {
    fn from(turn: MemoryTurn<'_>) -> Self {
        Self {
            agent: turn.agent.to_owned(),
            user: turn.user.unwrap_or_default().to_owned(),
            session: turn.session_id.to_owned(),
        }
    }
}

/// The turns that match, best first.
pub(super) fn search(
    connection: &Connection,
    owner: &Owner,
    query: &str,
    most: u32,
) -> rusqlite::Result<Vec<Found>> {
    connection
        .prepare_cached(
            "SELECT turns.input, turns.output FROM turns_text
             JOIN turns ON turns.id = turns_text.rowid
             WHERE turns_text MATCH ?1 AND turns.agent = ?2 AND turns.user = ?3
               AND turns.session <> ?4
             ORDER BY bm25(turns_text), turns.id DESC LIMIT ?5",
        )?
        .query_map(
            params![query, owner.agent, owner.user, owner.session, most],
            |row| {
                Ok(Found {
                    input: row.get(0)?,
                    output: row.get(1)?,
                })
            },
        )?
        .collect()
}

/// Keeps a turn, and forgets the oldest beyond `most`.
pub(super) fn insert(
    connection: &mut Connection,
    owner: &Owner,
    turn: u32,
    input: &str,
    output: &str,
    most: u32,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute(
        "INSERT INTO turns (agent, user, session, turn, input, output)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![owner.agent, owner.user, owner.session, turn, input, output],
    )?;
    let oldest_kept: Option<i64> = transaction
        .query_row(
            "SELECT id FROM turns WHERE agent = ?1 AND user = ?2
             ORDER BY id DESC LIMIT 1 OFFSET ?3",
            params![owner.agent, owner.user, most.saturating_sub(1)],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(oldest_kept) = oldest_kept {
        transaction.execute(
            "DELETE FROM turns WHERE agent = ?1 AND user = ?2 AND id < ?3",
            params![owner.agent, owner.user, oldest_kept],
        )?;
    }
    transaction.commit()
}
