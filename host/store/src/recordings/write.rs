//! The thread that writes recorded calls.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use portcullis::recording::RecordedCall;
use portcullis_agent::next_run_id;
use portcullis_recording::{Block, BlockWriter, NamedContent, Naming, Recipient, RecordingError};

use super::RecordingOptions;
use super::files;
use crate::database::{Database, now_ms, signed, storable};
use crate::error::StoreError;
use crate::queue::Receiver;
use crate::store::{PatientWriter, Store};

/// The number of queued calls from which on callers wait.
pub(super) const QUEUE: usize = 4_096;

/// The number of calls that wakes the writer.
pub(super) const BATCH: usize = 2_048;

/// The same numbers for calls with directories, each of which may have some megabytes.
pub(super) const LARGE_QUEUE: usize = 64;
pub(super) const LARGE_BATCH: usize = 16;

/// The time that the writer waits for enough calls.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The time that a call may wait for others to share its block.
const BLOCK_TIME: Duration = Duration::from_secs(2);

/// The maximum number of bytes of a block, as text. Large enough to compress well, and small enough
/// to be read for one call.
const BLOCK_BYTES: usize = 1 << 20;

/// The maximum number of bytes of all unwritten blocks, with the contents that they name.
const OPEN_BYTES: usize = 16 << 20;

/// The interval at which recordings over a limit are deleted. They are deleted sooner if a
/// sixteenth of a limit was written.
const LOOK: Duration = Duration::from_secs(60);

/// The bytes that a block takes in the store for each content that it names: a row and its place in
/// two indexes.
const OF_USE: usize = 150;

/// A message to the writer. Calls are not boxed, because this thread would free memory that another
/// thread allocated, which is slow.
#[allow(clippy::large_enum_variant)]
pub(super) enum Message {
    Call(RecordedCall),
    /// Answered once all earlier messages are written.
    Flush(SyncSender<()>),
}

pub(super) struct Writer {
    store: Store,
    messages: Receiver<Message>,
    options: RecordingOptions,
    naming: Naming,
    /// An unwritten block for each session with new calls, so that a session's calls can be
    /// deleted.
    open: BTreeMap<Arc<str>, BlockWriter>,
    begun: Instant,
    /// The bytes of the open blocks, with the contents that they name.
    bytes: usize,
    /// The time of the last deletion, and the bytes that were written since.
    pruned: Instant,
    written: u64,
    /// The calls that were written since the last deletion.
    calls: u64,
    patience: PatientWriter,
    /// Whether the loss of a call was logged, and whether a failed deletion was.
    logged_loss: bool,
    logged_prune: bool,
}

impl Writer {
    pub(super) fn new(
        store: Store,
        messages: Receiver<Message>,
        options: RecordingOptions,
    ) -> Result<Self, RecordingError> {
        let naming = match options.recipients.is_empty() {
            true => Naming::by_digest(),
            false => Naming::hidden()?,
        };
        Ok(Self {
            store,
            messages,
            naming,
            open: BTreeMap::new(),
            options,
            begun: Instant::now(),
            bytes: 0,
            pruned: Instant::now(),
            written: 0,
            calls: 0,
            patience: PatientWriter::default(),
            logged_loss: false,
            logged_prune: false,
        })
    }

    /// Writes until the senders are gone.
    pub(super) fn run(mut self) {
        self.prune();
        let mut messages = self.messages.room();
        loop {
            let until = (!self.open.is_empty()).then(|| self.begun + BLOCK_TIME);
            if !self.messages.take(&mut messages, BATCH_TIME, until) {
                break;
            }
            // The calls are not moved, and are dropped together, because callers use the same
            // reference counts meanwhile.
            for message in &messages {
                match message {
                    Message::Call(call) => self.add(call),
                    Message::Flush(reply) => {
                        self.write();
                        let _ = reply.send(());
                    }
                }
            }
            messages.clear();
            if self.begun.elapsed() >= BLOCK_TIME {
                self.write();
            }
        }
        self.write();
        if self.written > 0 {
            self.prune();
        }
    }

    fn add(&mut self, call: &RecordedCall) {
        if self.open.is_empty() {
            self.begun = Instant::now();
        }
        let block = match self.open.get_mut(&call.session) {
            Some(block) => block,
            None => self.open.entry(call.session.clone()).or_insert_with(|| {
                BlockWriter::new(
                    self.options.redaction.clone(),
                    self.naming.clone(),
                    self.options.call_bytes.get(),
                )
            }),
        };
        let before = block.bytes();
        let added = block.add(call);
        let bytes = block.bytes();
        self.bytes += bytes.saturating_sub(before);
        if let Err(error) = added {
            self.report(&error);
        }
        if self.bytes >= OPEN_BYTES || self.begun.elapsed() >= BLOCK_TIME {
            self.write();
        } else if bytes >= BLOCK_BYTES
            && let Some((session, full)) = self.open.remove_entry(&call.session)
        {
            self.bytes = self.bytes.saturating_sub(bytes);
            self.write_blocks([(session, full)].into());
        }
    }

    fn write(&mut self) {
        self.bytes = 0;
        let open = std::mem::take(&mut self.open);
        self.write_blocks(open);
    }

    fn write_blocks(&mut self, open: BTreeMap<Arc<str>, BlockWriter>) {
        let mut blocks = Vec::with_capacity(open.len());
        for (session, mut block) in open {
            if block.is_empty() {
                continue;
            }
            match block.finish().encrypted(&self.options.recipients) {
                Ok(block) => blocks.push((session, next_run_id(), block)),
                // No block is better than one that everybody can read.
                Err(error) => self.report(&error),
            }
        }
        if blocks.is_empty() {
            return;
        }
        for (_, _, block) in &blocks {
            let contents = block.contents.iter().map(|named| named.content.len());
            self.written += (block.bytes.len() + contents.sum::<usize>()) as u64;
            self.calls += block.summary.calls as u64;
        }
        let host = self.store.host();
        let blocks: Arc<[_]> = blocks.into();
        let recipients: Arc<[Recipient]> = self.options.recipients.as_slice().into();
        let inserted = self.patience.write(|| {
            let (blocks, recipients) = (blocks.clone(), recipients.clone());
            let insert =
                |database| async move { insert(&database, host, &blocks, &recipients).await };
            self.store.wait(insert)
        });
        if let Err(error) = inserted {
            self.report(&error);
        }
        let is_full = self.written >= self.options.keep_bytes.get() / 16
            || self
                .options
                .keep_calls
                .is_some_and(|most| self.calls >= most.get().div_ceil(16));
        if is_full || self.pruned.elapsed() >= LOOK {
            self.prune();
        }
    }

    fn prune(&mut self) {
        self.pruned = Instant::now();
        self.written = 0;
        self.calls = 0;
        let options = self.options.clone();
        let prune = |database| async move { prune(&database, &options).await };
        if let Err(error) = self.store.wait(prune)
            && !std::mem::replace(&mut self.logged_prune, true)
        {
            tracing::error!(
                "recorded calls that are too old or too many are not deleted: {error}; they are once \
                 the store can be written"
            );
        }
    }

    /// Logs the first loss. Nobody would notice missing calls before they are needed.
    fn report(&mut self, error: &dyn std::fmt::Display) {
        if !std::mem::replace(&mut self.logged_loss, true) {
            tracing::error!("a call of a hook is not recorded: {error}");
        }
    }
}

async fn insert(
    database: &Database,
    host: i64,
    blocks: &[(Arc<str>, i64, Block)],
    recipients: &[Recipient],
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO recordings (host, number, first_ms, last_ms, calls, bytes, raw, hooks, data, session)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (host, number) DO NOTHING";
    // The contents of all blocks, sorted by name, so that processes that write the same contents do
    // not deadlock.
    let named = blocks.iter().flat_map(|(_, _, block)| &block.contents);
    let contents: BTreeMap<&str, &NamedContent> = named
        .map(|content| (content.name.as_str(), content))
        .collect();
    let ready = files::ready(database, &contents, recipients).await?;
    let mut transaction = database.write().await?;
    let kind = database.kind();
    files::keep(&mut transaction, kind, &contents, ready, recipients).await?;
    for (session, number, block) in blocks {
        let summary = &block.summary;
        let hooks: Vec<&str> = summary.hooks.iter().map(String::as_str).collect();
        let insert = sqlx::query(sql)
            .bind(host)
            .bind(number)
            .bind(signed(summary.first_ms))
            .bind(signed(summary.last_ms))
            .bind(signed(summary.calls as u64))
            .bind(signed(block.bytes.len() as u64))
            .bind(signed(block.raw as u64))
            .bind(serde_json::Value::from(hooks).to_string())
            .bind(block.bytes.clone())
            .bind(storable(session));
        // An existing block was written by an attempt whose connection broke.
        if insert.execute(&mut *transaction).await?.rows_affected() > 0 {
            files::uses(&mut transaction, (host, *number), &block.contents).await?;
        }
    }
    transaction.commit().await?;
    Ok(())
}

/// Selects the blocks, the newest first, with their calls and bytes. A content is counted for the
/// newest block that names it.
const SIZES: &str =
    "SELECT recordings.host, recordings.number, recordings.calls, recordings.bytes + COALESCE(files.bytes, 0)
     FROM recordings LEFT JOIN (
         SELECT host, number,
                CAST(SUM(CASE WHEN newest = 1 THEN bytes ELSE 0 END) + COUNT(*) * $1 AS BIGINT) AS bytes
         FROM (
             SELECT uses.host, uses.number, content.bytes,
                    ROW_NUMBER() OVER (PARTITION BY uses.name
                        ORDER BY block.last_ms DESC, block.host DESC, block.number DESC) AS newest
             FROM recorded_file_uses uses
             JOIN recorded_files content ON content.name = uses.name
             JOIN recordings block ON block.host = uses.host AND block.number = uses.number
         ) ranked
         GROUP BY host, number
     ) files ON files.host = recordings.host AND files.number = recordings.number
     ORDER BY recordings.last_ms DESC, recordings.host DESC, recordings.number DESC";

/// Deletes recordings over a limit, in whole blocks. The newest block is kept, whatever its size.
async fn prune(database: &Database, options: &RecordingOptions) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let locked = files::lock_alone(&mut transaction, database.kind()).await?;
    if let Some(days) = options.keep_days {
        let age = u64::from(days.get()) * 86_400_000;
        let delete = sqlx::query("DELETE FROM recordings WHERE last_ms < $1");
        let delete = delete.bind(signed(now_ms().saturating_sub(age)));
        delete.execute(&mut *transaction).await?;
    }
    let rows = sqlx::query_as::<_, (i64, i64, i64, i64)>(SIZES)
        .bind(signed(OF_USE as u64))
        .fetch_all(&mut *transaction)
        .await?;
    let most_calls = options.keep_calls.map_or(u64::MAX, |most| most.get());
    let (mut calls, mut bytes) = (0_u64, 0_u64);
    for (index, (host, number, of_calls, of_bytes)) in rows.into_iter().enumerate() {
        calls = calls.saturating_add(of_calls.unsigned_abs());
        bytes = bytes.saturating_add(of_bytes.unsigned_abs());
        let is_over = calls > most_calls || bytes > options.keep_bytes.get();
        if index > 0 && is_over {
            let delete = sqlx::query("DELETE FROM recordings WHERE host = $1 AND number = $2");
            let delete = delete.bind(host).bind(number);
            delete.execute(&mut *transaction).await?;
        }
    }
    files::delete_unused(&mut transaction, &locked).await?;
    transaction.commit().await?;
    Ok(())
}
