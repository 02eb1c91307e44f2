//! The contents of the files that recorded calls could read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use portcullis_recording::{Identities, NamedContent, Recipient};
use sqlx::{Any, AnyConnection, AssertSqlSafe, Executor as _, Row as _, Transaction};

use crate::database::{Database, Kind, STORE_LOCK, query, signed};
use crate::error::StoreError;
use crate::sql::Value;

/// PostgreSQL: the lock is held shared to write a block that names contents, and exclusively to
/// delete contents that no block names. In SQLite one transaction writes at a time.
const SHARED: &str = "pg_advisory_xact_lock_shared";
const ALONE: &str = "pg_advisory_xact_lock";

/// Proof that a transaction holds [the lock](lock_alone).
pub(crate) struct Locked(());

/// The maximum number of rows or names in a statement.
const MANY: usize = 100;

/// Stored contents, by name.
type Stored = BTreeMap<String, Vec<u8>>;

/// Compresses and encrypts the contents that the store does not have. This is done before the
/// transaction, for which others wait.
pub(super) async fn ready(
    database: &Database,
    contents: &BTreeMap<&str, &NamedContent>,
    recipients: &[Recipient],
) -> Result<Stored, StoreError> {
    let mut connection = database.pool().acquire().await?;
    let known = known(&mut connection, contents).await?;
    let new = contents.iter().filter(|(name, _)| !known.contains(**name));
    let new = new.map(|(name, content)| Ok(((*name).to_owned(), content.stored(recipients)?)));
    new.collect()
}

/// Stores the contents that the store does not have, in the order of their names.
pub(super) async fn keep(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
    contents: &BTreeMap<&str, &NamedContent>,
    mut ready: Stored,
    recipients: &[Recipient],
) -> Result<(), StoreError> {
    if contents.is_empty() {
        return Ok(());
    }
    lock(transaction, kind, SHARED).await?;
    let known = known(&mut *transaction, contents).await?;
    for (name, content) in contents {
        if known.contains(*name) {
            continue;
        }
        let stored = match ready.remove(*name) {
            Some(stored) => stored,
            // The content was stored before this transaction, and was deleted.
            None => content.stored(recipients)?,
        };
        let insert = "INSERT INTO recorded_files (name, bytes, raw, data) VALUES ($1, $2, $3, $4)
                      ON CONFLICT (name) DO NOTHING";
        let insert = sqlx::query(insert)
            .bind(*name)
            .bind(signed(stored.len() as u64))
            .bind(signed(content.content.len() as u64))
            .bind(stored);
        insert.execute(&mut **transaction).await?;
    }
    Ok(())
}

/// Returns which of these contents the store has.
async fn known(
    connection: &mut AnyConnection,
    contents: &BTreeMap<&str, &NamedContent>,
) -> Result<BTreeSet<String>, StoreError> {
    let names: Vec<Value<'_>> = contents.keys().map(|name| (*name).into()).collect();
    let mut known = BTreeSet::new();
    for names in names.chunks(MANY) {
        let sql = format!(
            "SELECT name FROM recorded_files WHERE name IN ({})",
            places(names.len())
        );
        let select = query(AssertSqlSafe(sql), names);
        for row in select.fetch_all(&mut *connection).await? {
            known.insert(row.try_get(0)?);
        }
    }
    Ok(known)
}

/// Records the contents that a block names.
pub(super) async fn uses(
    transaction: &mut Transaction<'static, Any>,
    (host, number): (i64, i64),
    contents: &[NamedContent],
) -> Result<(), StoreError> {
    for contents in contents.chunks(MANY) {
        let rows = (0..contents.len()).map(|row| format!("($1, $2, ${})", row + 3));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let sql = format!("INSERT INTO recorded_file_uses (host, number, name) VALUES {rows}");
        let names = contents.iter().map(|content| content.name.as_str().into());
        let values: Vec<Value<'_>> = [host.into(), number.into()]
            .into_iter()
            .chain(names)
            .collect();
        let insert = query(AssertSqlSafe(sql), &values);
        insert.execute(&mut **transaction).await?;
    }
    Ok(())
}

/// Returns `count` parameters: `$1, $2, …`.
fn places(count: usize) -> String {
    let places = (1..=count).map(|place| format!("${place}"));
    places.collect::<Vec<_>>().join(", ")
}

/// Takes the exclusive lock of a transaction that deletes blocks. Take it before the first
/// deletion, to avoid a deadlock between a block and this lock.
pub(super) async fn lock_alone(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
) -> Result<Locked, StoreError> {
    lock(transaction, kind, ALONE).await?;
    Ok(Locked(()))
}

/// Deletes the contents that no block names.
pub(super) async fn delete_unused(
    transaction: &mut Transaction<'static, Any>,
    _: &Locked,
) -> Result<(), StoreError> {
    for sql in [
        "DELETE FROM recorded_file_uses WHERE NOT EXISTS (
             SELECT 1 FROM recordings
             WHERE recordings.host = recorded_file_uses.host AND recordings.number = recorded_file_uses.number
         )",
        "DELETE FROM recorded_files WHERE NOT EXISTS (
             SELECT 1 FROM recorded_file_uses WHERE recorded_file_uses.name = recorded_files.name
         )",
    ] {
        sqlx::query(sql).execute(&mut **transaction).await?;
    }
    Ok(())
}

async fn lock(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
    function: &'static str,
) -> Result<(), StoreError> {
    if kind == Kind::Postgres {
        let lock = format!("SELECT {function}({STORE_LOCK}, 1)");
        transaction.execute(AssertSqlSafe(lock)).await?;
    }
    Ok(())
}

/// Returns the contents with these names. Deleted ones are left out.
pub(super) async fn contents(
    database: &Database,
    names: Vec<String>,
) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let names: Vec<Value<'_>> = names.into_iter().map(Value::from).collect();
    let mut contents = Vec::with_capacity(names.len());
    for names in names.chunks(MANY) {
        let sql = format!(
            "SELECT name, data FROM recorded_files WHERE name IN ({})",
            places(names.len())
        );
        let select = query(AssertSqlSafe(sql), names);
        for row in select.fetch_all(database.pool()).await? {
            contents.push((row.try_get(0)?, row.try_get(1)?));
        }
    }
    Ok(contents)
}

/// Reads stored contents. Damaged ones are left out, like deleted ones.
pub(super) fn read(
    contents: Vec<(String, Vec<u8>)>,
    identities: &Identities,
) -> Result<BTreeMap<String, Arc<[u8]>>, StoreError> {
    let mut read = BTreeMap::new();
    for (name, data) in contents {
        match portcullis_recording::content(&data, identities) {
            Ok(content) => drop(read.insert(name, content)),
            Err(error) if error.is_damage() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(read)
}
