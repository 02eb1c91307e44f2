//! The thread that writes the journal.

use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::JournalError;
use super::tables::{self, Record};
use crate::store::Store;

/// How many messages may wait for the writer before callers have to wait: some megabytes, and the
/// records of a few busy seconds.
pub(super) const QUEUE: usize = 4_096;

/// How long a record may wait for others to share its transaction.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The most records of one transaction.
const BATCH_RECORDS: usize = 512;

/// How many times a transaction is tried before its records are lost. Every try waits for other
/// processes.
const TRIES: u32 = 3;

/// A message to the writer.
pub(super) enum Message {
    Write(Record),
    /// Answered once everything before it is written.
    Flush(SyncSender<()>),
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
    pub store: Store,
    pub messages: Receiver<Message>,
    pub problem: Arc<Problem>,
}

impl Writer {
    /// Writes until every sender is gone.
    pub(super) fn run(self) {
        while let Ok(first) = self.messages.recv() {
            self.batch(first);
        }
    }

    fn batch(&self, first: Message) {
        let until = Instant::now() + BATCH_TIME;
        let mut records = Vec::new();
        let mut next = Some(first);
        let mut flushed = None;
        while let Some(message) = next.take() {
            match message {
                Message::Write(record) => records.push(record),
                Message::Flush(reply) => flushed = Some(reply),
            }
            if flushed.is_none() && records.len() < BATCH_RECORDS {
                let left = until.saturating_duration_since(Instant::now());
                next = self.messages.recv_timeout(left).ok();
            }
        }
        self.write(records);
        if let Some(reply) = flushed {
            // The caller may be gone.
            let _ = reply.send(());
        }
    }

    fn write(&self, records: Vec<Record>) {
        let (host, records) = (self.store.host(), Arc::new(records));
        let mut tries = 1;
        loop {
            let batch = records.clone();
            let write = |database| async move { tables::write(&database, host, &batch).await };
            match self.store.wait(write) {
                Ok(refused) => {
                    refused.into_iter().for_each(|e| self.problem.report(e));
                    return;
                }
                Err(_) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(BATCH_TIME);
                }
                Err(e) => {
                    let (records, cause) = (records.len(), e.to_string());
                    self.problem.report(JournalError::Write { records, cause });
                    return;
                }
            }
        }
    }
}
