//! The contents of the files that recorded calls could read.

use std::collections::BTreeMap;
use std::sync::Arc;

use portcullis_recording::{Identities, NamedContent, Recipient};
use sqlx::{Any, Executor as _, Transaction};

use crate::database::{Database, Kind, signed};
use crate::error::StoreError;

/// PostgreSQL: taken shared by who writes a block that names contents, and alone by who deletes contents that no block names.
/// In SQLite one transaction writes at a time.
const SHARED: &str = "SELECT pg_advisory_xact_lock_shared(20546, 1)";
const ALONE: &str = "SELECT pg_advisory_xact_lock(20546, 1)";

/// Keeps the contents that a block names, those that are not there yet.
pub(super) async fn keep(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
    (host, number): (i64, i64),
    contents: &[NamedContent],
    recipients: &[Recipient],
) -> Result<(), StoreError> {
    if contents.is_empty() {
        return Ok(());
    }
    lock(transaction, kind, SHARED).await?;
    for content in contents {
        let known = sqlx::query("SELECT 1 FROM recorded_files WHERE name = $1").bind(&content.name);
        if known.fetch_optional(&mut **transaction).await?.is_none() {
            let stored = content.stored(recipients)?;
            let insert =
                "INSERT INTO recorded_files (name, bytes, raw, data) VALUES ($1, $2, $3, $4)
                          ON CONFLICT (name) DO NOTHING";
            let insert = sqlx::query(insert)
                .bind(&content.name)
                .bind(signed(stored.len() as u64))
                .bind(signed(content.content.len() as u64))
                .bind(stored);
            insert.execute(&mut **transaction).await?;
        }
        let uses = "INSERT INTO recorded_file_uses (host, number, name) VALUES ($1, $2, $3)";
        let uses = sqlx::query(uses)
            .bind(host)
            .bind(number)
            .bind(&content.name);
        uses.execute(&mut **transaction).await?;
    }
    Ok(())
}

/// Deletes the contents that no block names any more.
pub(super) async fn delete_unused(
    transaction: &mut Transaction<'static, Any>,
    kind: Kind,
) -> Result<(), StoreError> {
    lock(transaction, kind, ALONE).await?;
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
    lock: &'static str,
) -> Result<(), StoreError> {
    if kind == Kind::Postgres {
        transaction.execute(lock).await?;
    }
    Ok(())
}

/// The contents that blocks name, with their bytes in the store.
pub(super) struct Uses {
    of_blocks: BTreeMap<(i64, i64), Vec<String>>,
    bytes: BTreeMap<String, u64>,
}

impl Uses {
    pub(super) async fn read(
        transaction: &mut Transaction<'static, Any>,
    ) -> Result<Self, StoreError> {
        let sql = "SELECT host, number, uses.name, bytes FROM recorded_file_uses uses
                   JOIN recorded_files ON recorded_files.name = uses.name";
        let rows = sqlx::query_as::<_, (i64, i64, String, i64)>(sql);
        let (mut of_blocks, mut bytes) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
        for (host, number, name, of_file) in rows.fetch_all(&mut **transaction).await? {
            let names = of_blocks.entry((host, number)).or_default();
            names.push(name.clone());
            bytes.insert(name, of_file.unsigned_abs());
        }
        Ok(Self { of_blocks, bytes })
    }

    /// The bytes of the contents that a block names and that were not asked for before.
    pub(super) fn take(&mut self, block: (i64, i64)) -> u64 {
        let names = self.of_blocks.remove(&block).unwrap_or_default();
        let bytes = names.iter().filter_map(|name| self.bytes.remove(name));
        bytes.fold(0, u64::saturating_add)
    }
}

/// The contents of these names. One that is not there any more is left out.
pub(super) async fn contents(
    database: &Database,
    names: Vec<String>,
) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let mut contents = Vec::with_capacity(names.len());
    for name in names {
        let select =
            sqlx::query_as::<_, (Vec<u8>,)>("SELECT data FROM recorded_files WHERE name = $1");
        let select = select.bind(name.clone()).fetch_optional(database.pool());
        if let Some((data,)) = select.await? {
            contents.push((name, data));
        }
    }
    Ok(contents)
}

/// Reads contents that were stored.
pub(super) fn read(
    contents: Vec<(String, Vec<u8>)>,
    identities: &Identities,
) -> Result<BTreeMap<String, Arc<[u8]>>, StoreError> {
    let read = contents.into_iter().map(|(name, data)| {
        let content = portcullis_recording::content(&data, identities)?;
        Ok((name, content))
    });
    read.collect()
}
