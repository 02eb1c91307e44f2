//! Locks that show that a host is alive.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::any::AnyConnectOptions;
use sqlx::{
    Any, AnyConnection, AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _,
    Row as _, Transaction,
};
use tokio::time::{sleep, timeout};

use crate::database::{BUSY, HOST_LOCK, now_ms, signed};
use crate::error::StoreError;
use crate::url::StoreUrl;

/// The time without a heartbeat after which a host without a lock file is considered dead. It is
/// several heartbeats long, because the machine may be busy.
const SILENCE: Duration = Duration::from_secs(150);

/// The time without a heartbeat after which a host that does not take its lock again after a
/// restart of the server is considered dead. It is two heartbeats long.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// The settings by which the server detects within half a minute that a client machine is gone. The
/// server ignores them on a Unix socket.
const KEEPALIVE: &[&str] = &[
    "SET tcp_keepalives_idle = 15",
    "SET tcp_keepalives_interval = 5",
    "SET tcp_keepalives_count = 3",
    "SET tcp_user_timeout = 30000",
];

/// The delay before another attempt to take the lock of a connection.
const AGAIN: Duration = Duration::from_millis(250);

/// The lock of this host.
#[derive(Debug)]
pub(super) enum Lock {
    File(LockFile),
    Connection(Box<AnyConnection>),
    Released,
}

impl Lock {
    /// Takes the lock. Returns the server start that the lock belongs to.
    pub(super) async fn take(
        url: &StoreUrl,
        id: i64,
        name: &str,
    ) -> Result<(Self, Option<String>), StoreError> {
        match url.file() {
            Some(file) => Ok((LockFile::take(path(file, name)?).map(Self::File)?, None)),
            None => Self::connect(url, id)
                .await
                .map(|(lock, server)| (lock, Some(server))),
        }
    }

    /// Takes the lock over a separate connection. The server may still hold it for a broken
    /// connection, until it detects the failure.
    async fn connect(url: &StoreUrl, id: i64) -> Result<(Self, String), StoreError> {
        let taken = timeout(BUSY, Self::wait_for(url, id)).await;
        taken.unwrap_or_else(|_| {
            let waited = BUSY.as_secs();
            let cause = format!("the lock of this process cannot be taken within {waited} s");
            Err(StoreError::Database(cause))
        })
    }

    /// Tries to take the lock until it succeeds. Does not wait in the server, because such a wait
    /// could not be cancelled.
    async fn wait_for(url: &StoreUrl, id: i64) -> Result<(Self, String), StoreError> {
        let url = url
            .secret()
            .map_err(|e| StoreError::Database(e.to_string()))?;
        let options = AnyConnectOptions::from_url(&url)?.disable_statement_logging();
        let mut connection = AnyConnection::connect_with(&options).await?;
        for setting in KEEPALIVE {
            connection.execute(*setting).await?;
        }
        loop {
            let tried = sqlx::query(asking("pg_try_advisory_lock")).bind(id);
            let tried = tried.fetch_one(&mut connection).await?;
            if tried.try_get(0)? {
                return Ok((Self::Connection(Box::new(connection)), tried.try_get(1)?));
            }
            sleep(AGAIN).await;
        }
    }

    /// Takes the lock again if its connection has failed. Returns the server start that the lock
    /// then belongs to.
    pub(super) async fn keep(&mut self, url: &StoreUrl, id: i64) -> Option<String> {
        if let Self::Connection(connection) = self
            && !matches!(timeout(BUSY, connection.ping()).await, Ok(Ok(())))
            && let Ok((lock, server)) = Self::connect(url, id).await
        {
            *self = lock;
            return Some(server);
        }
        None
    }

    pub(super) fn release(&mut self) {
        if let Self::File(file) = std::mem::replace(self, Self::Released) {
            file.remove();
        }
    }
}

/// Another host that has not ended.
pub(super) struct Other {
    pub(super) id: i64,
    pub(super) lock: String,
    pub(super) heartbeat_ms: i64,
    /// The server start that its lock belongs to.
    pub(super) server: Option<String>,
}

/// The lock of a dead host, held until the host is settled.
pub(super) struct Held(Option<LockFile>);

impl Held {
    pub(super) fn remove(self) {
        if let Some(file) = self.0 {
            file.remove();
        }
    }
}

impl Other {
    /// Takes the lock of the host if the host is dead.
    pub(super) async fn dead(
        &self,
        url: &StoreUrl,
        transaction: &mut Transaction<'static, Any>,
    ) -> Result<Option<Held>, StoreError> {
        let Some(file) = url.file() else {
            let row = sqlx::query(asking("pg_try_advisory_xact_lock")).bind(self.id);
            let row = row.fetch_one(&mut **transaction).await?;
            let (is_free, server): (bool, String) = (row.try_get(0)?, row.try_get(1)?);
            let has_forgotten = self.server.as_ref().is_some_and(|then| *then != server);
            let is_dead = is_free && (!has_forgotten || self.is_silent(FORGOTTEN));
            return Ok(is_dead.then_some(Held(None)));
        };
        let path = path(file, &self.lock)?;
        Ok(match OpenOptions::new().write(true).open(&path) {
            Ok(file) => match file.try_lock() {
                Ok(()) => Some(Held(Some(LockFile { file, path }))),
                // The file is locked, or its state is unknown: the host may be alive, so it is not
                // settled.
                Err(_) => None,
            },
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                self.is_silent(SILENCE).then_some(Held(None))
            }
            Err(_) => None,
        })
    }
}

impl Other {
    fn is_silent(&self, limit: Duration) -> bool {
        let silence = signed(now_ms()).saturating_sub(self.heartbeat_ms);
        u128::try_from(silence).is_ok_and(|ms| ms > limit.as_millis())
    }
}

/// Returns a query that requests the lock of the host `$1` by a function of PostgreSQL, and the
/// start of the server.
fn asking(function: &'static str) -> AssertSqlSafe<String> {
    AssertSqlSafe(format!(
        "SELECT {function}({HOST_LOCK}, CAST($1 AS INT)), CAST(pg_postmaster_start_time() AS TEXT)"
    ))
}

/// Returns the path of a lock. It is canonical, so that all processes use the same path.
fn path(database: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let canonical = database.canonicalize();
    let canonical = canonical.map_err(|e| StoreError::Database(e.to_string()))?;
    let mut path = canonical.into_os_string();
    path.push(format!("-host-{name}.lock"));
    Ok(path.into())
}

#[derive(Debug)]
pub(super) struct LockFile {
    file: File,
    path: PathBuf,
}

impl LockFile {
    fn take(path: PathBuf) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let taken = options.open(&path).and_then(|file| match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::Error(e)) => Err(e),
            Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        });
        match taken {
            Ok(file) => Ok(Self { file, path }),
            Err(e) => Err(StoreError::Lock {
                cause: e.to_string(),
                path,
            }),
        }
    }

    /// Releases the lock and removes the file, whose name is never reused.
    fn remove(self) {
        let _ = std::fs::remove_file(&self.path);
        // Unlocked explicitly, because a child process may have inherited the handle.
        let _ = self.file.unlock();
    }
}
