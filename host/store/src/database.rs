//! Connections, transactions, and the differences between the two databases.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::any::{AnyArguments, AnyConnectOptions, AnyPoolOptions};
use sqlx::query::Query;
use sqlx::{
    Any, AnyConnection, AnyPool, ConnectOptions as _, Connection as _, Executor as _, SqlSafeStr,
    Transaction,
};
use tokio::time::timeout;

use crate::error::{StoreError, with_fix};
use crate::sql::{Value, without_nul};
use crate::sqlite::{self, Quick};
use crate::url::StoreUrl;

pub(crate) use portcullis::time::now_ms;

/// The maximum wait for another process's transaction, and for a connection.
pub(crate) const BUSY: Duration = Duration::from_secs(10);

/// The maximum number of connections of one process.
const CONNECTIONS: u32 = 4;

/// The first number of PostgreSQL's advisory locks of a whole store. The second number is 0 for the
/// tables, and 1 for the contents of recorded files.
pub(crate) const STORE_LOCK: i32 = 20546;

/// The first number of PostgreSQL's advisory locks of hosts. The second number is the id of the
/// host.
pub(crate) const HOST_LOCK: i32 = 20547;

/// The durability of an ended transaction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Durability {
    /// It survives the death of the process and a power failure. SQLite: `synchronous = FULL`;
    /// PostgreSQL: `synchronous_commit = on`.
    #[default]
    Full,
    /// It survives the death of the process. A power failure may lose the last transactions. SQLite:
    /// `synchronous = NORMAL`; PostgreSQL: `synchronous_commit = off`.
    Normal,
}

/// The kind of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

/// The connections to a database. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    pool: AnyPool,
    kind: Kind,
    /// The SQLite file.
    file: Option<Arc<Path>>,
    setup: &'static [&'static str],
    /// Executes statements on the calling thread, if commits do not wait for the disk.
    quick: Option<Arc<Quick>>,
}

impl Database {
    /// Connects. Creates the SQLite file if it does not exist, readable only by its owner.
    pub(crate) async fn connect(url: &StoreUrl, durability: Durability) -> Result<Self, String> {
        sqlx::any::install_default_drivers();
        let file = url.absolute_file();
        let kind = match &file {
            Some(file) => {
                sqlite::keep_private(file);
                Kind::Sqlite
            }
            None => Kind::Postgres,
        };
        let address = url.secret().map_err(|e| e.to_string())?;
        let options = AnyConnectOptions::from_url(&address)
            .map_err(|e| e.to_string())?
            .disable_statement_logging();
        let setup = kind.setup(durability);
        match timeout(BUSY, try_once(&options, setup)).await {
            Ok(Err(e)) if !is_busy(&e) => return Err(with_fix(&e)),
            Err(_) => return Err(format!("it does not answer within {} s", BUSY.as_secs())),
            Ok(_) => {}
        }
        let pool = AnyPoolOptions::new()
            .max_connections(CONNECTIONS)
            .acquire_timeout(BUSY)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    for statement in setup {
                        connection.execute(*statement).await?;
                    }
                    Ok(())
                })
            });
        let pool = pool.connect_with(options).await.map_err(|e| with_fix(&e))?;
        let quick = file
            .as_deref()
            .filter(|_| durability == Durability::Normal)
            .map(|file| Arc::new(Quick::new(file)));
        Ok(Self {
            pool,
            kind,
            file: file.map(Into::into),
            setup,
            quick,
        })
    }

    /// Returns the kind of the database.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the SQLite file, and the statements for every new connection to it.
    pub(crate) fn file(&self) -> Option<(&Path, &'static [&'static str])> {
        Some((self.file.as_deref()?, self.setup))
    }

    /// Executes a statement on this thread, if that does not wait for the disk or for other
    /// writers. Returns the number of changed rows; `None` if the statement was not executed. Use
    /// [`Database::execute`] then, which waits.
    pub(crate) fn execute_here(&self, sql: &str, values: &[Value<'_>]) -> Option<u64> {
        self.quick.as_ref()?.execute(sql, values)
    }

    /// Executes a statement. Returns the number of changed rows.
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        let executed = query(sql, values).execute(&self.pool).await?;
        Ok(executed.rows_affected())
    }

    /// Returns the connections, for single statements.
    pub(crate) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Begins a transaction that writes. In SQLite it waits for other writers now, not at its first
    /// write: a wait after a read would fail.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Any>, StoreError> {
        let begin = match self.kind {
            Kind::Sqlite => "BEGIN IMMEDIATE",
            Kind::Postgres => "BEGIN",
        };
        Ok(self.pool.begin_with(begin).await?)
    }

    /// Waits until no other transaction of any process holds this name. Hold several names in
    /// order.
    pub(crate) async fn hold(
        &self,
        transaction: &mut Transaction<'static, Any>,
        name: &str,
    ) -> Result<(), StoreError> {
        // SQLite has one writer at a time. A row cannot be locked, because it may not exist yet.
        if self.kind == Kind::Postgres {
            let sql =
                "SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) AS held";
            let lock = sqlx::query(sql).bind(storable(name));
            lock.execute(&mut **transaction).await?;
        }
        Ok(())
    }

    /// Closes all connections.
    pub(crate) async fn close(&self) {
        if let Some(quick) = &self.quick {
            quick.close();
        }
        self.pool.close().await;
    }
}

impl Kind {
    /// Returns the statements that are executed on every new connection.
    fn setup(self, durability: Durability) -> &'static [&'static str] {
        match (self, durability) {
            (Self::Sqlite, Durability::Full) => sqlite::SETUP_FULL,
            (Self::Sqlite, Durability::Normal) => sqlite::SETUP_NORMAL,
            (Self::Postgres, Durability::Full) => &["SET search_path = portcullis"],
            (Self::Postgres, Durability::Normal) => &[
                "SET search_path = portcullis",
                "SET synchronous_commit = off",
            ],
        }
    }
}

/// Creates a statement with its values.
pub(crate) fn query(
    sql: impl SqlSafeStr,
    values: &[Value<'_>],
) -> Query<'static, Any, AnyArguments> {
    values
        .iter()
        .fold(sqlx::query(sql), |query, value| match value {
            Value::Integer(number) => query.bind(*number),
            Value::Text(text) => query.bind(text.as_deref().map(str::to_owned)),
            Value::Digest(digest) => query.bind(digest.map(|digest| digest.to_string())),
        })
}

/// Connects and disconnects. The pool would retry, and return only a timeout.
async fn try_once(options: &AnyConnectOptions, setup: &[&'static str]) -> sqlx::Result<()> {
    let mut connection = AnyConnection::connect_with(options).await?;
    for statement in setup {
        connection.execute(*statement).await?;
    }
    connection.close().await
}

/// Returns whether another process has locked the SQLite file.
fn is_busy(error: &sqlx::Error) -> bool {
    // 5 is SQLITE_BUSY.
    matches!(error, sqlx::Error::Database(e) if e.code().as_deref() == Some("5"))
}

/// Enables WAL mode, so that readers and a writer can work at the same time. SQLite ignores its
/// busy timeout here.
pub(crate) async fn use_wal(connection: &mut AnyConnection) -> sqlx::Result<()> {
    let until = Instant::now() + BUSY;
    loop {
        match connection.execute("PRAGMA journal_mode = WAL").await {
            Err(e) if is_busy(&e) && Instant::now() < until => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            done => return done.map(drop),
        }
    }
}

/// Converts an integer, because those of both databases are signed. No value is near the limit.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Converts a number that was stored as a `u32`. A number that does not fit, in a damaged store,
/// becomes the largest.
pub(crate) fn narrow(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Returns bytes that cannot be guessed.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N], StoreError> {
    let mut bytes = [0; N];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|e| StoreError::Database(format!("there are no random bytes: {e}")))?;
    Ok(bytes)
}

/// Returns a text that both databases accept: PostgreSQL refuses the character NUL.
pub(crate) fn storable(text: &str) -> String {
    without_nul(text).into_owned()
}
