//! Opening this crate's SQLite files.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use tokio::task::JoinError;

/// How long a process waits for another one's transaction.
const BUSY: Duration = Duration::from_secs(10);

/// The tables of one kind of file.
#[derive(Debug)]
pub(crate) struct Schema {
    /// The kind of file, kept in `application_id`.
    pub application_id: i32,
    /// The version of the tables, kept in `user_version`.
    pub version: i64,
    /// The SQL that creates the tables.
    pub create: &'static str,
}

/// Why a file could not be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(
        "its tables are of version {found}, and this program knows only {known}: use the version \
         of Portcullis that wrote it, or name another file"
    )]
    Version { found: i64, known: i64 },
    #[error("it is a database of something else: name another file")]
    Foreign,
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

/// Opens the file. Creates it if it does not exist, readable only by its owner.
pub(crate) fn open(path: &Path, schema: &Schema) -> Result<Connection, OpenError> {
    keep_private(path);
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    prepare(&mut connection, schema)?;
    use_wal(&connection)?;
    Ok(connection)
}

/// SQLite ignores its busy timeout when it changes the journal mode.
fn use_wal(connection: &Connection) -> rusqlite::Result<()> {
    let until = Instant::now() + BUSY;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(e)
                if e.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && Instant::now() < until =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

/// Opens another connection to a file that [`open`] has prepared.
pub(crate) fn open_again(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    Ok(connection)
}

/// Opens a database in memory, which ends with the connection.
pub(crate) fn open_in_memory(schema: &Schema) -> Result<Connection, OpenError> {
    let mut connection = Connection::open_in_memory()?;
    prepare(&mut connection, schema)?;
    Ok(connection)
}

/// A connection for async code. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct SharedConnection(Arc<Mutex<Connection>>);

impl SharedConnection {
    pub(crate) fn new(connection: Connection) -> Self {
        Self(Arc::new(Mutex::new(connection)))
    }

    /// Runs blocking work off the async threads.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let connection = self.0.clone();
        tokio::task::spawn_blocking(move || work(&mut connection.lock())).await
    }
}

/// Random bytes as lower-case hexadecimal text, from SQLite's generator.
pub(crate) fn random_hex(connection: &Connection, bytes: u32) -> rusqlite::Result<String> {
    connection.query_row("SELECT lower(hex(randomblob(?1)))", [bytes], |row| {
        row.get(0)
    })
}

/// SQLite's integers are signed. No value here comes near the limit.
pub(crate) fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn prepare(connection: &mut Connection, schema: &Schema) -> Result<(), OpenError> {
    // In a transaction, because another process may be creating the tables.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let application_id: i32 =
        transaction.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables == 0 && found == 0 {
        transaction.execute_batch(schema.create)?;
        transaction.pragma_update(None, "application_id", schema.application_id)?;
        transaction.pragma_update(None, "user_version", schema.version)?;
    } else if application_id != schema.application_id {
        return Err(OpenError::Foreign);
    } else if found != schema.version {
        return Err(OpenError::Version {
            found,
            known: schema.version,
        });
    }
    Ok(transaction.commit()?)
}

/// Creates the file before SQLite does, so that others can never read it.
#[cfg(unix)]
fn keep_private(path: &Path) {
    use std::os::unix::fs::OpenOptionsExt as _;
    // If this fails, opening the file fails next and says why.
    let _ = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path);
}

#[cfg(not(unix))]
fn keep_private(_: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: Schema = Schema {
        application_id: 7,
        version: 2,
        create: "CREATE TABLE things (id INTEGER PRIMARY KEY)",
    };

    #[test]
    fn takes_only_its_own_files() {
        let dir = tempfile::tempdir().unwrap();
        let cases = [
            ("new", "", None),
            (
                "ours",
                "PRAGMA application_id = 7; PRAGMA user_version = 2; CREATE TABLE things (id)",
                None,
            ),
            (
                "newer",
                "PRAGMA application_id = 7; PRAGMA user_version = 3",
                Some("version 3"),
            ),
            (
                "another's",
                "CREATE TABLE theirs (id)",
                Some("something else"),
            ),
            (
                "another kind",
                "PRAGMA application_id = 8; PRAGMA user_version = 2",
                Some("something else"),
            ),
        ];
        for (name, made_by, error) in cases {
            let path = dir.path().join(name);
            let made = Connection::open(&path).unwrap();
            made.execute_batch(made_by).unwrap();
            drop(made);
            let opened = open(&path, &SCHEMA).map(drop).map_err(|e| e.to_string());
            match error {
                None => assert_eq!(opened, Ok(()), "{name}"),
                Some(error) => assert!(
                    opened.clone().unwrap_err().contains(error),
                    "{name}: {opened:?}"
                ),
            }
        }
    }

    #[test]
    fn many_may_create_it_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| open(&path, &SCHEMA).unwrap());
            }
        });
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        open(&path, &SCHEMA).unwrap();
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}
