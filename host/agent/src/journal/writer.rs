//! The thread that writes the journal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use rusqlite::Connection;

use super::JournalError;
use super::host::{HEARTBEAT, Host};
use super::tables::{self, Record};
use crate::basics::units::now_ms;

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
    pub connection: Arc<Mutex<Connection>>,
    pub host: Host,
    pub messages: Receiver<Message>,
    pub problem: Arc<Problem>,
}

impl Writer {
    /// Writes until every sender is gone.
    pub(super) fn run(self) {
        loop {
            match self.messages.recv_timeout(HEARTBEAT) {
                Ok(first) => self.batch(first),
                Err(RecvTimeoutError::Timeout) => self.write(&[]),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let connection = self.connection.lock();
        if let Err(e) = self.host.end(&connection) {
            // The next host to open the journal finds this one dead, which is only slower.
            tracing::debug!("the end of the journal's host could not be recorded: {e}");
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
        self.write(&records);
        if let Some(reply) = flushed {
            // The caller may be gone.
            let _ = reply.send(());
        }
    }

    fn write(&self, records: &[Record]) {
        let mut tries = 1;
        loop {
            let written =
                tables::write(&mut self.connection.lock(), self.host.id, records, now_ms());
            match written {
                Ok(refused) => {
                    refused.into_iter().for_each(|e| self.problem.report(e));
                    return;
                }
                Err(_) if tries < TRIES => {
                    tries += 1;
                    std::thread::sleep(BATCH_TIME);
                }
                // Without records it was a heartbeat, and the next one may succeed.
                Err(_) if records.is_empty() => return,
                Err(e) => {
                    let (records, cause) = (records.len(), e.to_string());
                    self.problem.report(JournalError::Write { records, cause });
                    return;
                }
            }
        }
    }
}
