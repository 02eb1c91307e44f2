//! The thread that writes the journal.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use portcullis_agent::RunRow;
use tokio::sync::oneshot;

use super::JournalError;
use super::kinds::Kinds;
use super::record::{Entry, Record};
use super::tables;
use crate::error::StoreError;
use crate::queue::Receiver;
use crate::store::{PATIENCE, Store};
use crate::writing::Writing;

/// How many messages may wait for the writer before callers have to wait. Those behind the first [`BATCH`] take some hundred
/// bytes each; the first ones keep what their hooks were given.
pub(super) const QUEUE: usize = 8_192;

/// How long a record may wait for others to share its transaction.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// How many messages are enough for a transaction. There may be as many as [`QUEUE`] once one begins. Each waits for the
/// disk, so the more the better; but callers continue while one is written.
pub(super) const BATCH: usize = 2_048;

/// How many times a transaction is tried before its records are lost. Every try waits for other
/// processes.
const TRIES: u32 = 3;

/// A message to the writer. Records are not boxed: this thread would free what another one allocated, which is slow.
#[allow(clippy::large_enum_variant)]
pub(super) enum Message {
    Write(Record),
    /// Answered once everything before it is written.
    Flush(SyncSender<()>),
    /// The same, and says whether the starts of these runs are written.
    Committed(Vec<i64>, oneshot::Sender<Result<(), String>>),
}

/// The first failure to write.
#[derive(Debug, Default)]
pub(super) struct Problem(OnceLock<JournalError>);

impl Problem {
    /// Keeps the error, and logs it if it is the first.
    pub(super) fn report(&self, error: JournalError) {
        self.0.get_or_init(|| {
            tracing::error!("{error}");
            error
        });
    }

    pub(super) fn get(&self) -> Option<&JournalError> {
        self.0.get()
    }
}

/// A run that has not ended.
pub(super) struct OpenRun {
    row: Box<RunRow>,
    /// Why its start could not be written, if it could not.
    lost: Option<String>,
}

pub(super) struct Writer {
    // Dropped before the store, which closes the database last.
    pub writing: Writing,
    pub store: Store,
    pub messages: Receiver<Message>,
    pub problem: Arc<Problem>,
    /// The runs that have not ended.
    pub open: HashMap<i64, OpenRun>,
    /// The ids of kinds.
    pub kinds: Kinds,
}

impl Writer {
    /// Writes until the sender is gone.
    pub(super) fn run(mut self) {
        let mut messages = VecDeque::new();
        while self.messages.take(&mut messages, BATCH_TIME, None) {
            self.batch(&mut messages);
        }
    }

    fn batch(&mut self, messages: &mut VecDeque<Message>) {
        let (mut flushed, mut committed) = (Vec::new(), Vec::new());
        let records = messages.drain(..).filter_map(|message| match message {
            Message::Write(record) => Some(record),
            Message::Flush(reply) => {
                flushed.push(reply);
                None
            }
            Message::Committed(ids, reply) => {
                committed.push((ids, reply));
                None
            }
        });
        let entries = Record::entries(records);
        self.write(entries);
        // The callers may be gone.
        for reply in flushed {
            let _ = reply.send(());
        }
        for (ids, reply) in committed {
            let lost = |id| self.open.get(id).and_then(|run| run.lost.clone());
            let lost = ids.iter().find_map(lost);
            let _ = reply.send(lost.map_or(Ok(()), Err));
        }
    }

    fn write(&mut self, mut entries: Vec<Entry>) {
        if entries.is_empty() {
            return;
        }
        // The runs that begin here, and do not end here.
        let mut begun = HashSet::new();
        for entry in &mut entries {
            match entry {
                Entry::Run { row, end } => {
                    if end.as_ref().is_none_or(|end| !end.is_over()) {
                        begun.insert(row.id);
                    }
                }
                Entry::End {
                    id,
                    end,
                    begun: earlier,
                } if end.is_over() => {
                    if !begun.remove(id) {
                        *earlier = self.open.remove(id).map(|run| run.row);
                    }
                }
                Entry::End { .. } | Entry::Event(_) => {}
            }
        }
        let lost = self.committed(&entries).err();
        if let Some(cause) = &lost {
            self.problem.report(JournalError::Write {
                records: entries.len(),
                cause: cause.clone(),
            });
        }
        let open = entries.into_iter().filter_map(|entry| match entry {
            // Those that have ended are not asked for any more.
            Entry::Run { row, .. } if begun.contains(&row.id) => Some(row),
            _ => None,
        });
        self.open.extend(open.map(|row| {
            let (id, lost) = (row.id, lost.clone());
            let row = Box::new(row);
            (id, OpenRun { row, lost })
        }));
    }

    /// Writes entries in one transaction.
    fn committed(&mut self, entries: &[Entry]) -> Result<(), String> {
        let host = self.store.host();
        let (mut tries, started) = (1, Instant::now());
        loop {
            let write = tables::write(&mut self.writing, host, entries, &self.kinds);
            match self.store.block_on(write).flatten() {
                Ok(written) => {
                    let refused = written.refused.into_iter();
                    refused.for_each(|error| self.problem.report(error));
                    self.kinds.extend(written.kinds);
                    return Ok(());
                }
                // What is to be written waits, and callers with it once the queue is full.
                Err(StoreError::Away(_)) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(BATCH_TIME);
                }
                Err(_) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(BATCH_TIME);
                }
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}
