//! The processes that have the store open, and which of them are alive.
//!
//! The open hook runs, sessions and jobs of a process refer to the process's row. A live host holds
//! a lock: with SQLite on a file beside the database, with PostgreSQL an advisory lock of a
//! separate connection. The operating system, or the server, releases the lock when the process
//! dies. A process id is not sufficient, because ids are reused.
//!
//! A restarted server has lost its locks. A host whose lock was on an earlier start of the server
//! is therefore considered dead only after it has sent no heartbeat for a while. A host that was
//! wrongly considered dead adds itself again; its earlier runs, sessions and jobs are no longer its
//! own, and it cannot write them.

mod lock;

use std::time::Duration;

use portcullis_agent::ClaimedBy;
use sqlx::{Any, Row as _, Transaction};
use tokio::sync::Mutex;

use self::lock::{Lock, Other};
use crate::database::{Database, Kind, now_ms, random_bytes, signed, storable};
use crate::error::StoreError;
use crate::old_feeds;
use crate::url::StoreUrl;

/// The interval at which a host checks its lock.
const LOOK: Duration = Duration::from_secs(5);

/// The number of checks between two heartbeats.
const HEARTBEAT: u32 = 6;

/// Adds the row of a host again.
macro_rules! revive {
    ($id:literal) => {
        concat!(
            "INSERT INTO hosts (id, pid, machine, lock, started_ms, heartbeat_ms, server) ",
            $id,
            " VALUES ($1, $2, $3, $4, $5, $5, $6)"
        )
    };
}

/// One opening of the store, by this process.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) id: i64,
    /// The name of the host's lock.
    name: String,
    lock: Mutex<Lock>,
}

impl Host {
    /// Registers this process as a host.
    pub(crate) async fn register(database: &Database, url: &StoreUrl) -> Result<Self, StoreError> {
        let name = format!("{:016x}", u64::from_be_bytes(random_bytes()?));
        let now = signed(now_ms());
        // The lock is taken before others can see the row, so that the host is never considered
        // dead.
        let mut transaction = database.write().await?;
        let sql = "INSERT INTO hosts (pid, machine, lock, started_ms, heartbeat_ms)
                   VALUES ($1, $2, $3, $4, $4) RETURNING id";
        let insert = sqlx::query(sql)
            .bind(i64::from(std::process::id()))
            .bind(ClaimedBy::this_process().host)
            .bind(&name)
            .bind(now);
        let id = insert.fetch_one(&mut *transaction).await?.try_get(0)?;
        let (lock, server) = Lock::take(url, id, &name).await?;
        let held = sqlx::query("UPDATE hosts SET server = $2 WHERE id = $1");
        let held = held.bind(id).bind(server);
        held.execute(&mut *transaction).await?;
        transaction.commit().await?;
        let lock = Mutex::new(lock);
        Ok(Self { id, name, lock })
    }

    /// Keeps the lock, and records heartbeats. Never returns.
    pub(crate) async fn beat(&self, database: &Database, url: &StoreUrl) {
        for look in 1_u32.. {
            tokio::time::sleep(LOOK).await;
            let server = self.lock.lock().await.keep(url, self.id).await;
            if server.is_some() || look % HEARTBEAT == 0 {
                // The next heartbeat may succeed.
                let _ = self.record(database, server).await;
            }
        }
    }

    /// Records a heartbeat. Adds the host again if it was considered dead.
    async fn record(&self, database: &Database, server: Option<String>) -> Result<(), StoreError> {
        let now = signed(now_ms());
        let sql =
            "UPDATE hosts SET heartbeat_ms = $2, ended_ms = NULL, server = COALESCE($3, server)
                   WHERE id = $1";
        let beat = sqlx::query(sql)
            .bind(self.id)
            .bind(now)
            .bind(server.clone());
        if beat.execute(database.pool()).await?.rows_affected() > 0 {
            return Ok(());
        }
        let revive = sqlx::query(match database.kind() {
            Kind::Sqlite => revive!(""),
            Kind::Postgres => revive!("OVERRIDING SYSTEM VALUE"),
        });
        let revive = revive
            .bind(self.id)
            .bind(i64::from(std::process::id()))
            .bind(ClaimedBy::this_process().host)
            .bind(&self.name)
            .bind(now)
            .bind(server);
        revive.execute(database.pool()).await?;
        Ok(())
    }

    /// Removes the host. Its open runs, sessions and jobs are settled like those of a dead host.
    pub(crate) async fn end(&self, database: &Database) -> Result<(), StoreError> {
        let mut transaction = database.write().await?;
        settle_one(&mut transaction, self.id).await?;
        transaction.commit().await?;
        remove_old_hosts_and_feeds(database).await?;
        self.lock.lock().await.release();
        Ok(())
    }
}

/// Checks that this host has the session open. No other host can then open it before the
/// transaction has ended.
pub(crate) async fn check_open(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
    host: i64,
) -> Result<(), StoreError> {
    // The update locks the row.
    let sql = "UPDATE sessions SET host = host WHERE id = $1 AND host = $2";
    let lock = sqlx::query(sql).bind(storable(session)).bind(host);
    match lock.execute(&mut **transaction).await?.rows_affected() {
        0 => Err(StoreError::NotOpen {
            session: session.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Settles what dead hosts hold: their open runs are lost, and their sessions and jobs are free.
pub(crate) async fn settle(database: &Database, url: &StoreUrl) -> Result<u64, StoreError> {
    let mut lost = 0;
    let sql = "SELECT id, lock, heartbeat_ms, server FROM hosts WHERE ended_ms IS NULL";
    for row in sqlx::query(sql).fetch_all(database.pool()).await? {
        let other = Other {
            id: row.try_get("id")?,
            lock: row.try_get("lock")?,
            heartbeat_ms: row.try_get("heartbeat_ms")?,
            server: row.try_get("server")?,
        };
        let mut transaction = database.write().await?;
        if let Some(held) = other.dead(url, &mut transaction).await? {
            lost += settle_one(&mut transaction, other.id).await?;
            transaction.commit().await?;
            held.remove();
        }
    }
    remove_old_hosts_and_feeds(database).await?;
    Ok(lost)
}

/// Settles what a host holds, and returns the number of its lost runs.
async fn settle_one(
    transaction: &mut Transaction<'static, Any>,
    host: i64,
) -> Result<u64, StoreError> {
    let now = signed(now_ms());
    let kinds = "INSERT INTO run_kinds (hook, point, state, outcome, cause)
                 SELECT DISTINCT hook, point, 'lost', coalesce(outcome, ''), coalesce(cause, '') FROM runs
                 WHERE host = $1 AND state IN ('started', 'backgrounded')
                 ON CONFLICT (hook, point, state, outcome, cause) DO NOTHING";
    let kinds = sqlx::query(kinds).bind(host);
    kinds.execute(&mut **transaction).await?;
    let counted = "UPDATE journal_sessions SET revision = revision + 1,
                       runs = runs + (SELECT count(*) FROM runs AS open WHERE open.host = $1
                           AND open.session = journal_sessions.session AND open.state IN ('started', 'backgrounded')),
                       failures = failures + (SELECT count(*) FROM runs AS open WHERE open.host = $1
                           AND open.session = journal_sessions.session AND open.state IN ('started', 'backgrounded'))
                   WHERE session IN (SELECT session FROM runs
                       WHERE host = $1 AND state IN ('started', 'backgrounded'))";
    let counted = sqlx::query(counted).bind(host);
    counted.execute(&mut **transaction).await?;
    let lost = "UPDATE runs SET state = 'lost', ended_ms = $2, kind = (
                    SELECT id FROM run_kinds WHERE run_kinds.hook = runs.hook
                        AND run_kinds.point = runs.point AND run_kinds.state = 'lost'
                        AND run_kinds.outcome = coalesce(runs.outcome, '')
                        AND run_kinds.cause = coalesce(runs.cause, '')
                ) WHERE host = $1 AND state IN ('started', 'backgrounded')";
    let lost = sqlx::query(lost).bind(host).bind(now);
    let lost = lost.execute(&mut **transaction).await?.rows_affected();
    let ended = "UPDATE hosts SET heartbeat_ms = $2, ended_ms = $2 WHERE id = $1";
    let ended = sqlx::query(ended).bind(host).bind(now);
    ended.execute(&mut **transaction).await?;
    for sql in [
        "UPDATE sessions SET host = NULL, claimed_ms = NULL WHERE host = $1",
        "UPDATE jobs SET host = NULL WHERE host = $1",
        "UPDATE journal_sessions SET state = 'interrupted', revision = revision + 1
         WHERE host = $1 AND state = 'running'",
    ] {
        sqlx::query(sql)
            .bind(host)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(lost)
}

/// Removes old feeds, and the ended hosts without sessions and jobs whose runs and events are no
/// longer in the journal.
async fn remove_old_hosts_and_feeds(database: &Database) -> Result<(), StoreError> {
    let sql = "DELETE FROM hosts WHERE ended_ms IS NOT NULL
               AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.host = hosts.id)
               AND NOT EXISTS (SELECT 1 FROM events WHERE events.host = hosts.id)
               AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.host = hosts.id)
               AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.host = hosts.id)";
    sqlx::query(sql).execute(database.pool()).await?;
    old_feeds::delete(database).await
}
