//! The journal's tables.

use rusqlite::{Connection, TransactionBehavior, params};

use super::JournalError;
use super::run::{RunEnd, RunRow};
use crate::basics::database::{Schema, signed};

/// `seq` is the order in which runs were written; for one host, the order in which they began.
pub(super) const SCHEMA: Schema = Schema {
    application_id: 0x5043_4a31,
    version: 1,
    create: "
        CREATE TABLE hosts (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            pid INTEGER NOT NULL,
            lock TEXT NOT NULL UNIQUE,
            started_ms INTEGER NOT NULL,
            heartbeat_ms INTEGER NOT NULL,
            ended_ms INTEGER
        );
        CREATE TABLE runs (
            seq INTEGER PRIMARY KEY,
            host INTEGER NOT NULL REFERENCES hosts (id),
            id INTEGER NOT NULL,
            session TEXT NOT NULL,
            turn INTEGER NOT NULL,
            step INTEGER NOT NULL,
            point TEXT NOT NULL,
            hook TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            component TEXT,
            input TEXT,
            started_ms INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT 'started',
            ended_ms INTEGER,
            outcome TEXT,
            latency_us INTEGER,
            fuel INTEGER,
            cause TEXT,
            message TEXT,
            contributions TEXT NOT NULL DEFAULT '[]',
            before TEXT,
            after TEXT,
            fatal INTEGER NOT NULL DEFAULT 0,
            UNIQUE (host, id)
        );
        CREATE INDEX runs_by_session ON runs (session, turn);
        CREATE INDEX runs_by_hook ON runs (hook);
        CREATE INDEX runs_open ON runs (host) WHERE state IN ('started', 'backgrounded');
    ",
};

/// A record to write.
#[derive(Debug)]
pub(super) enum Record {
    Begin(Box<RunRow>),
    End {
        id: i64,
        at_ms: u64,
        end: Box<RunEnd>,
    },
}

/// Writes records in one transaction, and returns the invalid ones.
pub(super) fn write(
    connection: &mut Connection,
    host: i64,
    records: &[Record],
    now_ms: u64,
) -> rusqlite::Result<Vec<JournalError>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut refused = Vec::new();
    for record in records {
        match record {
            Record::Begin(row) => {
                if begin(&transaction, host, row)? == 0 {
                    refused.push(JournalError::BegunTwice { id: row.id });
                }
            }
            Record::End { id, at_ms, end } => {
                if self::end(&transaction, host, *id, *at_ms, end)? == 0 {
                    refused.push(JournalError::NotRunning { id: *id });
                }
            }
        }
    }
    heartbeat(&transaction, host, now_ms)?;
    transaction.commit()?;
    Ok(refused)
}

fn begin(connection: &Connection, host: i64, row: &RunRow) -> rusqlite::Result<usize> {
    connection
        .prepare_cached(
            "INSERT INTO runs (host, id, session, turn, step, point, hook, attempt, component,
                               input, started_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
             ON CONFLICT (host, id) DO NOTHING",
        )?
        .execute(params![
            host,
            row.id,
            row.session,
            row.turn,
            row.step,
            row.point,
            row.hook,
            row.attempt,
            row.component,
            row.input,
            signed(row.started_ms),
        ])
}

fn end(
    connection: &Connection,
    host: i64,
    id: i64,
    at_ms: u64,
    end: &RunEnd,
) -> rusqlite::Result<usize> {
    let ended_ms = (!end.state.is_open()).then(|| signed(at_ms));
    let contributions = serde_json::Value::from(end.contributions.as_slice()).to_string();
    connection
        .prepare_cached(
            "UPDATE runs SET state = ?3, ended_ms = ?4, outcome = ?5, latency_us = ?6, fuel = ?7,
                             cause = ?8, message = ?9, contributions = ?10, before = ?11,
                             after = ?12, fatal = ?13
             WHERE host = ?1 AND id = ?2 AND state IN ('started', 'backgrounded')",
        )?
        .execute(params![
            host,
            id,
            end.state.code(),
            ended_ms,
            end.outcome,
            signed(end.latency_us),
            end.fuel.map(signed),
            end.cause,
            end.message,
            contributions,
            end.before,
            end.after,
            end.fatal,
        ])
}

/// Records that the host is alive.
pub(super) fn heartbeat(connection: &Connection, host: i64, now_ms: u64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("UPDATE hosts SET heartbeat_ms = ?2 WHERE id = ?1")?
        .execute(params![host, signed(now_ms)])?;
    Ok(())
}
