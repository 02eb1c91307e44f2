//! The thread that writes recorded calls.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use portcullis::recording::RecordedCall;
use portcullis_recording::{Block, BlockWriter, Naming, Recipient, RecordingError};

use super::RecordingOptions;
use super::files::{self, Uses};
use crate::database::{Database, now_ms, signed, storable};
use crate::error::StoreError;
use crate::queue::Receiver;
use crate::store::Store;

/// How many calls may wait for the writer before callers have to wait.
pub(super) const QUEUE: usize = 4_096;

/// How many calls are enough for the writer to begin with them, and how long it waits for so many.
pub(super) const BATCH: usize = 256;
const BATCH_TIME: Duration = Duration::from_millis(50);

/// How long a call may wait for others to share its block.
const BLOCK_TIME: Duration = Duration::from_secs(2);

/// The most bytes of a block, as text. Large enough to compress well, and small enough to be read for one call.
const BLOCK_BYTES: usize = 1 << 20;

/// How many blocks are written before it is looked at what is too old or too much.
const BLOCKS: usize = 16;

/// A message to the writer.
pub(super) enum Message {
    Call(i64, Box<RecordedCall>),
    /// Answered once everything before it is written.
    Flush(SyncSender<()>),
}

pub(super) struct Writer {
    store: Store,
    messages: Receiver<Message>,
    options: RecordingOptions,
    naming: Naming,
    /// A block for each session that had calls since the last were written, so that a session's calls can be deleted.
    open: BTreeMap<Arc<str>, BlockWriter>,
    begun: Instant,
    /// The blocks that were written since it was looked at what to delete.
    written: usize,
    failed: bool,
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
            written: 0,
            failed: false,
        })
    }

    /// Writes until the sender is gone.
    pub(super) fn run(mut self) {
        self.prune();
        loop {
            let until = (!self.open.is_empty()).then(|| self.begun + BLOCK_TIME);
            let Some(messages) = self.messages.take(BATCH_TIME, until) else {
                break;
            };
            for message in messages {
                match message {
                    Message::Call(id, call) => self.add(id, *call),
                    Message::Flush(reply) => {
                        self.write();
                        let _ = reply.send(());
                    }
                }
            }
            if self.begun.elapsed() >= BLOCK_TIME {
                self.write();
            }
        }
        self.write();
        if self.written > 0 {
            self.prune();
        }
    }

    fn add(&mut self, id: i64, call: RecordedCall) {
        if self.open.is_empty() {
            self.begun = Instant::now();
        }
        let new = || {
            BlockWriter::new(
                self.options.redaction.clone(),
                self.naming.clone(),
                self.options.call_bytes.get(),
            )
        };
        let block = self.open.entry(call.session.clone()).or_insert_with(new);
        let added = block.add(id, call);
        let is_full = block.len() >= BLOCK_BYTES;
        if let Err(error) = added {
            self.report(&error);
        }
        if is_full || self.begun.elapsed() >= BLOCK_TIME {
            self.write();
        }
    }

    fn write(&mut self) {
        let mut blocks = Vec::with_capacity(self.open.len());
        for (session, mut block) in std::mem::take(&mut self.open) {
            if block.is_empty() {
                continue;
            }
            match block.finish().encrypted(&self.options.recipients) {
                Ok(block) => blocks.push((session, self.store.next_run(), block)),
                // Rather none than one that everybody can read.
                Err(error) => self.report(&error),
            }
        }
        if blocks.is_empty() {
            return;
        }
        self.written += blocks.len();
        let host = self.store.host();
        let recipients = self.options.recipients.clone();
        let write = |database| async move { insert(&database, host, blocks, &recipients).await };
        if let Err(error) = self.store.wait(write) {
            self.report(&error);
        }
        if self.written >= BLOCKS {
            self.prune();
        }
    }

    fn prune(&mut self) {
        self.written = 0;
        let options = self.options.clone();
        let prune = |database| async move { prune(&database, &options).await };
        if let Err(error) = self.store.wait(prune) {
            self.report(&error);
        }
    }

    /// Logs the first failure: calls that are not recorded are missed by nobody until they are looked for.
    fn report(&mut self, error: &dyn std::fmt::Display) {
        if !std::mem::replace(&mut self.failed, true) {
            tracing::error!("a call of a hook is not recorded: {error}");
        }
    }
}

async fn insert(
    database: &Database,
    host: i64,
    blocks: Vec<(Arc<str>, i64, Block)>,
    recipients: &[Recipient],
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO recordings (host, number, first_ms, last_ms, calls, bytes, raw, hooks, data, session)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let mut transaction = database.write().await?;
    for (session, number, block) in blocks {
        let summary = block.summary;
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
            .bind(block.bytes)
            .bind(storable(&session));
        insert.execute(&mut *transaction).await?;
        let kind = database.kind();
        files::keep(
            &mut transaction,
            kind,
            (host, number),
            &block.contents,
            recipients,
        )
        .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes what is older or more than is kept, in whole blocks. The newest block stays, whatever its size.
async fn prune(database: &Database, options: &RecordingOptions) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    if let Some(days) = options.keep_days {
        let age = u64::from(days.get()) * 86_400_000;
        let delete = sqlx::query("DELETE FROM recordings WHERE last_ms < $1");
        let delete = delete.bind(signed(now_ms().saturating_sub(age)));
        delete.execute(&mut *transaction).await?;
    }
    let sql = "SELECT host, number, calls, bytes FROM recordings ORDER BY last_ms DESC, host DESC, number DESC";
    let rows = sqlx::query_as::<_, (i64, i64, i64, i64)>(sql)
        .fetch_all(&mut *transaction)
        .await?;
    let mut uses = Uses::read(&mut transaction).await?;
    let most_calls = options.keep_calls.map_or(u64::MAX, |most| most.get());
    let (mut calls, mut bytes) = (0_u64, 0_u64);
    for (index, (host, number, of_calls, of_bytes)) in rows.into_iter().enumerate() {
        calls = calls.saturating_add(of_calls.unsigned_abs());
        let of_bytes = of_bytes
            .unsigned_abs()
            .saturating_add(uses.take((host, number)));
        bytes = bytes.saturating_add(of_bytes);
        let is_over = calls > most_calls || bytes > options.keep_bytes.get();
        if index > 0 && is_over {
            let delete = sqlx::query("DELETE FROM recordings WHERE host = $1 AND number = $2");
            let delete = delete.bind(host).bind(number);
            delete.execute(&mut *transaction).await?;
        }
    }
    files::delete_unused(&mut transaction, database.kind()).await?;
    transaction.commit().await?;
    Ok(())
}
