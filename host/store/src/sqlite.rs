//! SQLite: opening the file, and connections that are used on the calling thread.
//!
//! The pool's connections have their own threads. A statement there wakes a thread twice, and the
//! store's thread twice more, which takes longer than the statement.

use std::path::Path;

use parking_lot::Mutex;
use rusqlite::types::Null;
use rusqlite::{CachedStatement, ErrorCode, OpenFlags, TransactionBehavior};

use crate::error::{StoreError, sqlite_fix};
use crate::sql::Value;

/// The statements for every new connection whose commits wait for the disk.
pub(crate) const SETUP_FULL: &[&str] = &[
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 10000",
    "PRAGMA synchronous = FULL",
];

/// The statements for every new connection whose commits do not wait for the disk.
pub(crate) const SETUP_NORMAL: &[&str] = &[
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 10000",
    "PRAGMA synchronous = NORMAL",
];

/// Creates the file before SQLite does, so that other users can never read it.
#[cfg(unix)]
pub(crate) fn keep_private(path: &Path) {
    use std::os::unix::fs::OpenOptionsExt as _;
    if let Some(dir) = path.parent() {
        let _ = std::fs::create_dir_all(dir);
    }
    // If this fails, opening the file also fails, and returns the error.
    let _ = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path);
}

#[cfg(not(unix))]
pub(crate) fn keep_private(path: &Path) {
    if let Some(dir) = path.parent() {
        let _ = std::fs::create_dir_all(dir);
    }
}

/// Further statements for the connection of a thread that writes much. A large transaction is then
/// written to the log only at its end, and a page that several transactions change is moved into
/// the file once.
pub(crate) const SETUP_WRITER: &[&str] = &[
    "PRAGMA cache_size = -16384",
    "PRAGMA wal_autocheckpoint = 4000",
];

/// The number of statements that a connection keeps prepared.
const PREPARED: usize = 64;

/// A connection. Its statements run on the calling thread, which waits for other writers and for
/// the disk.
pub(crate) struct Connection(rusqlite::Connection);

impl Connection {
    /// Opens the existing file of a store.
    pub(crate) fn open(file: &Path, setup: &[&str]) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(file, flags)?;
        for statement in setup {
            connection.execute_batch(statement)?;
        }
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Ok(Self(connection))
    }

    /// Begins a transaction that writes. Waits for other writers.
    pub(crate) fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        let begun = self
            .0
            .transaction_with_behavior(TransactionBehavior::Immediate);
        Ok(Transaction(begun?))
    }

    /// Executes a statement. Returns the number of changed rows.
    fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        execute(&self.0, sql, values)
    }
}

/// A transaction, which is rolled back unless it is committed.
pub(crate) struct Transaction<'c>(rusqlite::Transaction<'c>);

impl Transaction<'_> {
    /// Executes a statement. Returns the number of changed rows.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        execute(&self.0, sql, values)
    }

    /// Executes a statement for each of these rows, with the values that `add` adds. Returns the
    /// number of changed rows.
    pub(crate) fn execute_each<'v, R>(
        &self,
        sql: &str,
        each: impl Iterator<Item = R>,
        mut add: impl FnMut(R, &mut Vec<Value<'v>>),
    ) -> Result<u64, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let places = places(&statement);
        let (mut changed, mut values) = (0, Vec::with_capacity(places.len()));
        for one in each {
            values.clear();
            add(one, &mut values);
            bind(&mut statement, &places, &values)?;
            changed += statement.raw_execute()? as u64;
        }
        Ok(changed)
    }

    /// Executes a statement that returns a row with a number.
    pub(crate) fn number(&self, sql: &str, values: &[Value<'_>]) -> Result<i64, StoreError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let places = places(&statement);
        bind(&mut statement, &places, values)?;
        let mut rows = statement.raw_query();
        let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
        let number = row.get(0)?;
        // Read to the end; otherwise the statement is undone.
        while rows.next()?.is_some() {}
        Ok(number)
    }

    /// Commits the transaction.
    pub(crate) fn commit(self) -> Result<(), StoreError> {
        Ok(self.0.commit()?)
    }
}

fn execute(
    connection: &rusqlite::Connection,
    sql: &str,
    values: &[Value<'_>],
) -> Result<u64, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let places = places(&statement);
    bind(&mut statement, &places, values)?;
    Ok(statement.raw_execute()? as u64)
}

/// Returns the number after the `$` of each parameter. SQLite uses it as a name, and numbers the
/// names in order of occurrence.
fn places(statement: &CachedStatement<'_>) -> Vec<usize> {
    let place = |index| {
        let name = statement.parameter_name(index)?;
        name.strip_prefix('$')?.parse().ok()
    };
    // A parameter without a number has no value.
    let places = (1..=statement.parameter_count()).map(|index| place(index).unwrap_or_default());
    places.collect()
}

fn bind(
    statement: &mut CachedStatement<'_>,
    places: &[usize],
    values: &[Value<'_>],
) -> Result<(), StoreError> {
    for (index, place) in (1..).zip(places) {
        let value = place.checked_sub(1).and_then(|place| values.get(place));
        let Some(value) = value else {
            let error = rusqlite::Error::InvalidParameterCount(values.len(), places.len());
            return Err(error.into());
        };
        match value {
            Value::Integer(Some(number)) => statement.raw_bind_parameter(index, number),
            Value::Text(Some(text)) => statement.raw_bind_parameter(index, &**text),
            Value::Digest(Some(digest)) => {
                statement.raw_bind_parameter(index, digest.write(&mut [0; 64]))
            }
            Value::Integer(None) | Value::Text(None) | Value::Digest(None) => {
                statement.raw_bind_parameter(index, Null)
            }
        }?;
    }
    Ok(())
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let rusqlite::Error::SqliteFailure(failure, message) = &error else {
            return Self::Database(error.to_string());
        };
        // The text is the same as in the pool's errors.
        let message = message.clone().unwrap_or_else(|| failure.to_string());
        let code = failure.extended_code;
        let mut text = format!("error returned from database: (code: {code}) {message}");
        if let Some(fix) = sqlite_fix(code) {
            text = format!("{text}; {fix}");
        }
        match failure.code {
            ErrorCode::DatabaseBusy => Self::Away(text),
            _ => Self::Database(text),
        }
    }
}

/// Executes single statements on the calling thread, if they do not have to wait.
#[derive(Debug)]
pub(crate) struct Quick {
    file: Box<Path>,
    held: Mutex<Held>,
}

struct Held {
    connection: Option<Connection>,
    /// The number of statements that may be executed before the pool must execute one.
    left: u32,
}

/// The number of statements between two statements of the pool. The pool moves the log into the
/// file after about a thousand pages, and waits for the disk meanwhile.
const BETWEEN: u32 = 200;

/// Commits do not wait for the disk, and statements do not wait for other writers. Other
/// connections move the log into the file.
const SETUP_QUICK: &[&str] = &["PRAGMA busy_timeout = 0", "PRAGMA wal_autocheckpoint = 0"];

impl Quick {
    /// Creates an executor for the file of a store whose commits do not wait for the disk.
    pub(crate) fn new(file: &Path) -> Self {
        Self {
            file: file.into(),
            held: Mutex::new(Held {
                connection: None,
                left: BETWEEN,
            }),
        }
    }

    /// Executes a statement, and returns the number of changed rows. `None` if the statement failed
    /// or would have to wait. The pool must then execute it, which waits and returns the error.
    pub(crate) fn execute(&self, sql: &str, values: &[Value<'_>]) -> Option<u64> {
        let mut held = self.held.lock();
        let Some(left) = held.left.checked_sub(1) else {
            held.left = BETWEEN;
            return None;
        };
        let connection = match &mut held.connection {
            Some(connection) => connection,
            none => none.insert(self.open().ok()?),
        };
        let changed = connection.execute(sql, values).ok()?;
        held.left = left;
        Some(changed)
    }

    fn open(&self) -> Result<Connection, StoreError> {
        Connection::open(&self.file, &[SETUP_NORMAL, SETUP_QUICK].concat())
    }

    /// Closes the connection.
    pub(crate) fn close(&self) {
        self.held.lock().connection = None;
    }
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSERT: &str = "INSERT INTO t (a, b) SELECT $2, $1 WHERE $1 <> 'none'";

    fn values(number: i64) -> [Value<'static>; 2] {
        ["text".into(), number.into()]
    }

    #[test]
    fn what_would_wait_is_for_the_pool() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("t.sqlite");
        keep_private(&file);
        let mut other = Connection::open(&file, SETUP_NORMAL).unwrap();
        for sql in [
            "PRAGMA journal_mode = WAL",
            "CREATE TABLE t (a BIGINT, b TEXT)",
        ] {
            other.0.execute_batch(sql).unwrap();
        }
        let quick = Quick::new(&file);
        assert_eq!(quick.execute(INSERT, &values(1)), Some(1));
        let held = other.begin().unwrap();
        assert_eq!(quick.execute(INSERT, &values(2)), None);
        assert_eq!(held.execute(INSERT, &values(3)).unwrap(), 1);
        held.commit().unwrap();
        let none = [Value::from("none"), 4_i64.into()];
        assert_eq!(quick.execute(INSERT, &none), Some(0));
        assert_eq!(
            quick.execute("INSERT INTO missing VALUES ($1)", &none),
            None
        );
        // The pool has a turn after some statements.
        let mut executed = (5..).map(|number| quick.execute(INSERT, &values(number)));
        assert!(executed.by_ref().take(300).any(|changed| changed.is_none()));
        assert_eq!(executed.next(), Some(Some(1)));
        let sum = other
            .begin()
            .unwrap()
            .number("SELECT sum(a) FROM t WHERE b = $1", &["text".into()]);
        assert!(sum.unwrap() > 4);
    }

    #[test]
    fn errors_are_written_as_the_pool_writes_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("t.sqlite");
        keep_private(&file);
        let mut one = Connection::open(&file, SETUP_FULL).unwrap();
        let mut two = Connection::open(&file, &["PRAGMA busy_timeout = 0"]).unwrap();
        let held = one.begin().unwrap();
        let error = two.begin().err().unwrap();
        let text = "error returned from database: (code: 5) database is locked";
        assert_eq!(error, StoreError::Away(text.into()));
        let error = held.execute("SELECT $1 FROM missing", &[1_i64.into()]);
        let text = "error returned from database: (code: 1) no such table: missing";
        assert_eq!(error, Err(StoreError::Database(text.into())));
        let error = held.execute("SELECT $2", &[1_i64.into()]);
        assert!(matches!(error, Err(StoreError::Database(_))), "{error:?}");
    }
}
