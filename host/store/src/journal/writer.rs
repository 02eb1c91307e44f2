//! The thread that writes the journal.

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::oneshot;

use super::JournalError;
use super::kinds::Kinds;
use super::record::{OpenRun, Record};
use super::tables::{self, Batch};
use crate::queue::Receiver;
use crate::store::{PatientWriter, Store};
use crate::writing::Writing;

/// The number of queued messages from which on callers wait. The first [`BATCH`] messages keep the
/// inputs of their hooks, and later ones only the digests.
pub(super) const QUEUE: usize = 8_192;

/// The time that a record may wait for others to share its transaction.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The number of messages that begins a transaction, which may contain up to [`QUEUE`]. A
/// transaction waits for the disk, so more messages are better; callers continue meanwhile.
pub(super) const BATCH: usize = 2_048;

/// A message to the writer. Records are not boxed, because this thread would free memory that
/// another thread allocated, which is slow.
#[allow(clippy::large_enum_variant)]
pub(super) enum Message {
    Write(Record),
    /// Answered once all earlier messages are written.
    Flush(SyncSender<()>),
    /// Answered likewise, with an error if the start of a run of this session was lost.
    Committed(String, oneshot::Sender<Result<(), String>>),
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

pub(super) struct Writer {
    // Dropped before the store, which closes the database last.
    pub writing: Writing,
    pub store: Store,
    pub messages: Receiver<Message>,
    pub problem: Arc<Problem>,
    /// The runs that began in earlier transactions and have not ended.
    pub open: HashMap<i64, OpenRun>,
    /// The ids of kinds.
    pub kinds: Kinds,
    pub patience: PatientWriter,
}

impl Writer {
    /// Writes until the senders are gone.
    pub(super) fn run(mut self) {
        let mut messages = self.messages.room();
        while self.messages.take(&mut messages, BATCH_TIME, None) {
            self.batch(&mut messages);
        }
    }

    /// Writes the records of the messages without moving them, and empties the messages.
    fn batch(&mut self, messages: &mut VecDeque<Message>) {
        let records = messages.iter().filter_map(|message| match message {
            Message::Write(record) => Some(record),
            Message::Flush(_) | Message::Committed(..) => None,
        });
        let records: Vec<&Record> = records.collect();
        if !records.is_empty() {
            self.write(&records);
        }
        // The callers may be gone.
        for message in messages.drain(..) {
            match message {
                Message::Write(_) => {}
                Message::Flush(reply) => drop(reply.send(())),
                Message::Committed(session, reply) => {
                    let mut open = self.open.values();
                    let lost = open.find_map(|run| run.lost_in(&session));
                    let _ = reply.send(lost.map_or(Ok(()), |why| Err(why.to_owned())));
                }
            }
        }
    }

    fn write(&mut self, records: &[&Record]) {
        let lost = self.committed(records).err();
        if let Some(cause) = &lost {
            self.problem.report(JournalError::Write {
                records: records.len(),
                cause: cause.clone(),
            });
        }
        for record in records {
            if let Some(start) = record.open() {
                let run = OpenRun::new(start.at(), lost.clone());
                self.open.insert(start.id(), run);
            } else if let Record::End { id, end } = record
                && end.is_over()
            {
                self.open.remove(id);
            }
        }
    }

    /// Writes records in one transaction.
    fn committed(&mut self, records: &[&Record]) -> Result<(), String> {
        let written = self.patience.write(|| {
            let batch = Batch {
                host: self.store.host(),
                records,
                open: &self.open,
                known: &self.kinds,
            };
            let write = tables::write(&mut self.writing, batch);
            self.store.block_on(write).flatten()
        });
        let written = written.map_err(|error| error.to_string())?;
        let refused = written.refused.into_iter();
        refused.for_each(|error| self.problem.report(error));
        self.kinds.extend(written.kinds);
        Ok(())
    }
}
