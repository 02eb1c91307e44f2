//! The tables.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::basics::database::Schema;
use crate::memory::MemoryTurn;
use crate::memory::recall::Found;

pub(super) const SCHEMA: Schema = Schema {
    // These files have never had an id.
    application_id: 0,
    version: 1,
    create: "
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
",
};

/// The agent, user and session of a turn.
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

/// Adds a turn, and removes the oldest beyond `most`.
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
