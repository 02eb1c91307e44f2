//! Transactions of a thread that only writes, on either database.
//!
//! With SQLite the thread has its own connection, and waits only for other writers and the disk.
//! Statements do not depend on the database library.

use sqlx::{Any, AssertSqlSafe, Row as _};

use crate::database::{Database, query};
use crate::error::StoreError;
use crate::sql::Value;
use crate::sqlite;

/// The maximum number of rows in one statement, where each statement is a network round trip.
const ROWS: usize = 32;

/// The source of a thread's transactions. Its futures are for
/// [`Store::block_on`](crate::store::Store::block_on).
pub(crate) struct Writing {
    /// The SQLite connection, once a transaction has begun.
    connection: Option<sqlite::Connection>,
    database: Database,
}

impl Writing {
    /// Creates a source of transactions of this database.
    pub(crate) fn new(database: Database) -> Self {
        Self {
            connection: None,
            database,
        }
    }

    /// Begins a transaction that writes. With SQLite, waits for other writers.
    pub(crate) async fn begin(&mut self) -> Result<Transaction<'_>, StoreError> {
        let Some((file, setup)) = self.database.file() else {
            return Ok(Transaction::Pool(self.database.write().await?));
        };
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => {
                let setup = [setup, sqlite::SETUP_WRITER].concat();
                none.insert(sqlite::Connection::open(file, &setup)?)
            }
        };
        Ok(Transaction::Own(connection.begin()?))
    }
}

/// A transaction that writes. It is rolled back unless it is committed.
pub(crate) enum Transaction<'c> {
    /// A transaction of the thread's own SQLite connection.
    Own(sqlite::Transaction<'c>),
    /// A transaction of a pool connection.
    Pool(sqlx::Transaction<'static, Any>),
}

/// The table and columns of inserted rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Insert {
    pub(crate) table: &'static str,
    pub(crate) columns: &'static [&'static str],
    /// The clause for rows that already exist.
    pub(crate) conflict: &'static str,
}

impl Transaction<'_> {
    /// Executes a statement. Returns the number of changed rows.
    pub(crate) async fn execute(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        match self {
            Self::Own(transaction) => transaction.execute(sql, values),
            Self::Pool(transaction) => {
                let executed = query(sql, values).execute(&mut **transaction).await?;
                Ok(executed.rows_affected())
            }
        }
    }

    /// Executes a statement that returns one row with a number.
    pub(crate) async fn number(
        &mut self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<i64, StoreError> {
        match self {
            Self::Own(transaction) => transaction.number(sql, values),
            Self::Pool(transaction) => {
                let row = query(sql, values).fetch_one(&mut **transaction).await?;
                Ok(row.try_get(0)?)
            }
        }
    }

    /// Adds rows, with the values that `add` adds for each. Returns the number of added rows.
    pub(crate) async fn insert<'v, R>(
        &mut self,
        insert: &Insert,
        rows: impl Iterator<Item = R>,
        mut add: impl FnMut(R, &mut Vec<Value<'v>>),
    ) -> Result<u64, StoreError> {
        match self {
            Self::Own(transaction) => transaction.execute_each(&insert.sql(1), rows, add),
            Self::Pool(transaction) => {
                let (mut rows, mut added) = (rows.fuse(), 0);
                loop {
                    let mut values = Vec::new();
                    rows.by_ref()
                        .take(ROWS)
                        .for_each(|row| add(row, &mut values));
                    let count = values.len() / insert.columns.len().max(1);
                    if count == 0 {
                        return Ok(added);
                    }
                    let query = query(AssertSqlSafe(insert.sql(count)), &values);
                    added += query.execute(&mut **transaction).await?.rows_affected();
                }
            }
        }
    }

    /// Commits the transaction.
    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Own(transaction) => transaction.commit(),
            Self::Pool(transaction) => Ok(transaction.commit().await?),
        }
    }
}

impl Insert {
    /// Returns the statement for this number of rows.
    fn sql(&self, rows: usize) -> String {
        let width = self.columns.len();
        let row = |row| {
            let places = (1..=width).map(|column| format!("${}", row * width + column));
            format!("({})", places.collect::<Vec<_>>().join(", "))
        };
        format!(
            "INSERT INTO {} ({}) VALUES {} {}",
            self.table,
            self.columns.join(", "),
            (0..rows).map(row).collect::<Vec<_>>().join(", "),
            self.conflict
        )
    }
}
