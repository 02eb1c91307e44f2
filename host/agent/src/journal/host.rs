//! The processes that write to the journal, and which of them are alive.
//!
//! While a host has the journal open, it holds an exclusive lock on its own file beside the
//! database. The operating system releases the lock when the process dies, so a process that can
//! take the lock knows that the host is dead. A process id would not do, because ids are reused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior, params};

use super::JournalError;
use super::read;
use super::run::{JournalRun, RunState};
use crate::basics::database::{random_hex, signed};
use crate::basics::units::now_ms;

/// How often an idle host records that it is alive.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(30);

/// If a host's lock file was removed, the host is taken for dead after this time without a
/// heartbeat. It is several heartbeats long, because the machine may be busy.
const SILENCE: Duration = Duration::from_secs(150);

/// This opening of the journal.
#[derive(Debug)]
pub(super) struct Host {
    pub id: i64,
    lock: Option<Lock>,
}

impl Host {
    /// Adds the host to the journal. A journal in memory has no path and needs no lock.
    pub(super) fn register(
        connection: &mut Connection,
        database: Option<&Path>,
    ) -> Result<Self, JournalError> {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let name = random_hex(&transaction, 8)?;
        // Locked before others can see the row, so that the host is never taken for dead.
        let lock = database
            .map(|database| Lock::take(lock_path(database, &name)))
            .transpose()?;
        let now = signed(now_ms());
        transaction.execute(
            "INSERT INTO hosts (pid, lock, started_ms, heartbeat_ms) VALUES (?1, ?2, ?3, ?3)",
            params![std::process::id(), name, now],
        )?;
        let id = transaction.last_insert_rowid();
        transaction.commit()?;
        Ok(Self { id, lock })
    }

    /// Records that the host has ended, so that others need not check its lock.
    pub(super) fn end(self, connection: &Connection) -> rusqlite::Result<()> {
        connection.execute(
            "UPDATE hosts SET heartbeat_ms = ?2, ended_ms = ?2 WHERE id = ?1",
            params![self.id, signed(now_ms())],
        )?;
        if let Some(lock) = self.lock {
            lock.remove();
        }
        Ok(())
    }
}

/// Marks the open runs of dead hosts as lost, and returns them.
pub(super) fn settle(
    connection: &mut Connection,
    database: &Path,
) -> Result<Vec<JournalRun>, JournalError> {
    let mut settled = Vec::new();
    for other in others(connection)? {
        let gone = if other.ended {
            Gone::Yes(None)
        } else {
            Gone::ask(lock_path(database, &other.lock), other.heartbeat_ms)
        };
        if let Gone::Yes(lock) = gone {
            settled.extend(settle_host(connection, other.id)?);
            if let Some(lock) = lock {
                lock.remove();
            }
        }
    }
    connection.execute(
        "DELETE FROM hosts WHERE ended_ms IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.host = hosts.id)",
        [],
    )?;
    Ok(settled)
}

struct Other {
    id: i64,
    lock: String,
    heartbeat_ms: i64,
    ended: bool,
}

/// The hosts that have not ended, or that have open runs.
fn others(connection: &Connection) -> rusqlite::Result<Vec<Other>> {
    connection
        .prepare(
            "SELECT id, lock, heartbeat_ms, ended_ms IS NOT NULL FROM hosts
             WHERE ended_ms IS NULL OR id IN
                (SELECT host FROM runs WHERE state IN ('started', 'backgrounded'))",
        )?
        .query_map([], |row| {
            Ok(Other {
                id: row.get(0)?,
                lock: row.get(1)?,
                heartbeat_ms: row.get(2)?,
                ended: row.get(3)?,
            })
        })?
        .collect()
}

fn settle_host(connection: &mut Connection, host: i64) -> rusqlite::Result<Vec<JournalRun>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found_ms = now_ms();
    let mut runs = read::open_of(&transaction, host)?;
    for run in &mut runs {
        run.state = RunState::Lost;
        run.ended_ms = Some(found_ms);
    }
    transaction.execute(
        "UPDATE runs SET state = 'lost', ended_ms = ?2
         WHERE host = ?1 AND state IN ('started', 'backgrounded')",
        params![host, signed(found_ms)],
    )?;
    transaction.execute(
        "UPDATE hosts SET ended_ms = coalesce(ended_ms, ?2) WHERE id = ?1",
        params![host, signed(found_ms)],
    )?;
    transaction.commit()?;
    Ok(runs)
}

/// Whether a host is dead. Its lock, if it could be taken, is held until its runs are settled.
enum Gone {
    Yes(Option<Lock>),
    No,
}

impl Gone {
    fn ask(lock: PathBuf, heartbeat_ms: i64) -> Self {
        match OpenOptions::new().write(true).open(&lock) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Self::Yes(Some(Lock { file, path: lock })),
                // Locked, or not known: a run that may still run is not settled.
                Err(_) => Self::No,
            },
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let silence = signed(now_ms()).saturating_sub(heartbeat_ms);
                if u128::try_from(silence).is_ok_and(|ms| ms > SILENCE.as_millis()) {
                    Self::Yes(None)
                } else {
                    Self::No
                }
            }
            Err(_) => Self::No,
        }
    }
}

fn lock_path(database: &Path, name: &str) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(format!("-host-{name}.lock"));
    path.into()
}

#[derive(Debug)]
struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    fn take(path: PathBuf) -> Result<Self, JournalError> {
        let taken = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|file| match file.try_lock() {
                Ok(()) => Ok(file),
                Err(TryLockError::Error(e)) => Err(e),
                Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
            });
        match taken {
            Ok(file) => Ok(Self { file, path }),
            Err(e) => Err(JournalError::Lock {
                cause: e.to_string(),
                path,
            }),
        }
    }

    /// Releases the lock and removes the file, whose name is never reused.
    fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
        // Explicitly, because a process that is being started may have a copy of the handle.
        let _ = self.file.unlock();
    }
}
