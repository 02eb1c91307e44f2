//! Reading recorded calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::TryStreamExt as _;
use portcullis_recording::{Identities, RecordingError, StoredCall};
use serde::Serialize;

use crate::database::{Database, signed, storable};
use crate::error::StoreError;

/// A filter for recorded calls. The default selects all.
#[derive(Debug, Clone, Default)]
pub struct RecordingFilter {
    /// Only calls of this hook.
    pub hook: Option<String>,
    /// Only calls of this session.
    pub session: Option<String>,
    /// Only calls that began since this time, in milliseconds since 1970. Earlier calls of the same
    /// instances and sessions are included, because a replay needs them.
    pub since_ms: Option<u64>,
    /// Only calls that began before this time, in milliseconds since 1970.
    pub until_ms: Option<u64>,
    /// Only the call of this run: host and id.
    pub run: Option<(i64, i64)>,
    /// The secret keys for encrypted calls.
    pub identities: Arc<Identities>,
}

/// The recorded calls that fit a filter.
#[derive(Debug, Clone)]
pub struct RecordedCalls {
    /// The calls that can be read, in the order in which they began.
    pub calls: Vec<StoredCall>,
    /// The blocks that cannot be read, and may contain calls that fit.
    pub damaged: Vec<DamagedBlock>,
}

/// A block of calls that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DamagedBlock {
    /// The number of its calls, of all hooks.
    pub calls: usize,
    /// The error.
    pub cause: RecordingError,
}

/// The number and size of the recorded calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecordingTotals {
    /// The calls.
    pub calls: u64,
    /// Their bytes in the store.
    pub bytes: u64,
    /// Their bytes before they were compressed.
    pub raw_bytes: u64,
    /// The blocks that they are in.
    pub blocks: u64,
}

pub(super) struct StoredBlock {
    host: i64,
    first_ms: u64,
    last_ms: u64,
    calls: u64,
    data: Vec<u8>,
    /// The session of its calls; `None` if an earlier version wrote the block, which may then have
    /// several.
    session: Option<Arc<str>>,
}

/// The facts about a block that are known without reading its calls.
pub(crate) struct Block {
    host: i64,
    first_ms: u64,
    last_ms: u64,
    /// The hooks of its calls, if they can be read.
    pub(crate) hooks: Option<Vec<String>>,
    /// The session of its calls; `None` if an earlier version wrote the block, which may then have
    /// several.
    pub(crate) session: Option<String>,
}

impl Block {
    /// Returns whether it may contain calls of this host, session and hook in this time.
    pub(crate) fn has(&self, host: i64, session: &str, hook: &str, from: u64, to: u64) -> bool {
        self.host == host
            && (self.session.as_deref()).is_none_or(|own| own == storable(session))
            && (self.hooks.as_ref()).is_none_or(|hooks| hooks.iter().any(|own| own == hook))
            && self.first_ms <= to
            && from <= self.last_ms
    }
}

/// Returns the blocks with calls since a time.
pub(crate) async fn blocks_since(
    database: &Database,
    since_ms: u64,
) -> Result<Vec<Block>, StoreError> {
    let sql = "SELECT host, first_ms, last_ms, hooks, session FROM recordings WHERE last_ms >= $1";
    let select = sqlx::query_as::<_, (i64, i64, i64, String, Option<String>)>(sql);
    let rows = select.bind(signed(since_ms)).fetch_all(database.pool());
    let blocks = rows.await?.into_iter();
    let blocks = blocks.map(|(host, first_ms, last_ms, of, session)| Block {
        host,
        first_ms: first_ms.unsigned_abs(),
        last_ms: last_ms.unsigned_abs(),
        hooks: hooks(&of),
        session,
    });
    Ok(blocks.collect())
}

/// Returns the hooks of a block's calls; `None` if the column is damaged.
fn hooks(column: &str) -> Option<Vec<String>> {
    serde_json::from_str(column).ok()
}

pub(super) async fn blocks(
    database: &Database,
    filter: &RecordingFilter,
) -> Result<Vec<StoredBlock>, StoreError> {
    let sql = "SELECT host, first_ms, last_ms, calls, hooks, data, session FROM recordings
               WHERE ($1 = 0 OR host = $2) AND ($3 = 0 OR session = $4 OR session IS NULL)
               ORDER BY host, number";
    let host = filter.run.map(|(host, _)| host);
    let mut rows = sqlx::query_as::<_, (i64, i64, i64, i64, String, Vec<u8>, Option<String>)>(sql)
        .bind(signed(u64::from(host.is_some())))
        .bind(host.unwrap_or_default())
        .bind(signed(u64::from(filter.session.is_some())))
        .bind(filter.session.as_deref().map(storable))
        .fetch(database.pool());
    let mut blocks = Vec::new();
    // Read row by row: the blocks of other hooks may have gigabytes.
    while let Some((host, first_ms, last_ms, calls, of, data, session)) = rows.try_next().await? {
        let may_have = |hook| hooks(&of).is_none_or(|hooks| hooks.contains(hook));
        if filter.hook.as_ref().is_none_or(may_have) {
            blocks.push(StoredBlock {
                host,
                first_ms: first_ms.unsigned_abs(),
                last_ms: last_ms.unsigned_abs(),
                calls: calls.unsigned_abs(),
                data,
                session: session.map(Into::into),
            });
        }
    }
    Ok(blocks)
}

/// Returns the calls of these blocks that fit.
pub(super) fn calls(
    blocks: &[StoredBlock],
    filter: &RecordingFilter,
) -> Result<RecordedCalls, StoreError> {
    let (mut calls, mut damaged) = (Vec::new(), Vec::new());
    for block in blocks {
        let read = portcullis_recording::read(block.host, &block.data, &filter.identities);
        let mut read = match read {
            Ok(read) => read,
            Err(cause) if cause.is_damage() => {
                let may_fit = filter.since_ms.is_none_or(|since| since <= block.last_ms)
                    && filter.until_ms.is_none_or(|until| block.first_ms < until);
                if may_fit {
                    let calls = usize::try_from(block.calls).unwrap_or(usize::MAX);
                    damaged.push(DamagedBlock { calls, cause });
                }
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        // A rule may have redacted the session's id in the call itself.
        if let Some(session) = &block.session {
            read.iter_mut()
                .for_each(|call| call.session = session.clone());
        }
        calls.extend(read.into_iter().filter(|call| {
            let hook = filter.hook.as_deref();
            let session = filter.session.as_deref();
            hook.is_none_or(|hook| call.setup.hook.as_str() == hook)
                && session.is_none_or(|session| *call.session == *session)
                && filter.until_ms.is_none_or(|until| call.at_ms < until)
                && filter
                    .run
                    .is_none_or(|(host, id)| (call.host, call.id) == (host, id))
        }));
    }
    if let Some(since) = filter.since_ms {
        let opening = |call: &StoredCall| (call.host, call.instance.opening);
        let instance = |call: &StoredCall| (call.host, call.instance.instance);
        let wanted = calls.iter().filter(|call| call.at_ms >= since);
        let (openings, instances): (BTreeSet<_>, BTreeSet<_>) =
            wanted.map(|call| (opening(call), instance(call))).unzip();
        calls.retain(|call| {
            openings.contains(&opening(call)) || instances.contains(&instance(call))
        });
    }
    calls.sort_by_key(|call| (call.host, call.id));
    Ok(RecordedCalls { calls, damaged })
}

pub(super) async fn totals(database: &Database) -> Result<RecordingTotals, StoreError> {
    let sql = "SELECT count(*), CAST(coalesce(sum(calls), 0) AS BIGINT),
                      CAST(coalesce(sum(bytes), 0) AS BIGINT), CAST(coalesce(sum(raw), 0) AS BIGINT)
               FROM recordings";
    let select = sqlx::query_as::<_, (i64, i64, i64, i64)>(sql);
    let (blocks, calls, bytes, raw) = select.fetch_one(database.pool()).await?;
    let sql =
        "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT), CAST(coalesce(sum(raw), 0) AS BIGINT)
               FROM recorded_files";
    let select = sqlx::query_as::<_, (i64, i64)>(sql);
    let (of_files, raw_of_files) = select.fetch_one(database.pool()).await?;
    Ok(RecordingTotals {
        calls: calls.unsigned_abs(),
        bytes: bytes.unsigned_abs() + of_files.unsigned_abs(),
        raw_bytes: raw.unsigned_abs() + raw_of_files.unsigned_abs(),
        blocks: blocks.unsigned_abs(),
    })
}
