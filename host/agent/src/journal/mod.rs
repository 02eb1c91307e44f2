//! The journal of hook runs: every call of every hook, kept in SQLite.
//!
//! A run is recorded before its hook is called and again when it ends, so that a run that a crash
//! has interrupted can be told from one that never began. Several processes may write to one file.

mod error;
mod hook_run;
mod host;
mod read;
mod run;
mod summary;
mod tables;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use parking_lot::Mutex;
use rusqlite::Connection;

use self::host::Host;
use self::tables::{Record, SCHEMA};
use self::writer::{Message, Problem, QUEUE, Writer};
use crate::basics::database;
use crate::basics::units::now_ms;

pub(crate) use hook_run::JournalRuns;

pub use error::JournalError;
pub use read::RunFilter;
pub use run::{JournalRun, RunEnd, RunRow, RunState, UnknownRunState};
pub use summary::HookSummary;

/// The journal of hook runs. Cheap to clone. Dropping the last clone writes all that is queued.
///
/// ```
/// use portcullis_agent::{Journal, RunEnd, RunFilter, RunRow, RunState};
///
/// # fn main() -> Result<(), portcullis_agent::JournalError> {
/// let journal = Journal::in_memory()?;
/// let id = journal.next_id();
/// journal.begin(RunRow { id, hook: "redact".into(), ..RunRow::default() });
/// journal.end(id, RunEnd { latency_us: 120, ..RunEnd::of(RunState::Completed) });
/// assert_eq!(journal.runs(&RunFilter::default())?.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Journal {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    host: i64,
    next_id: AtomicI64,
    settled: Vec<JournalRun>,
    problem: Arc<Problem>,
    /// In memory, the writer's connection is the only one.
    reader: Arc<Mutex<Connection>>,
    sender: Option<SyncSender<Message>>,
    writer: Option<JoinHandle<()>>,
}

impl Journal {
    /// Opens the file. Creates it if it does not exist, readable only by its owner. Open runs of
    /// dead hosts become [`RunState::Lost`].
    ///
    /// # Errors
    ///
    /// The file cannot be opened, is not a journal, is from a newer version, or is on a file system
    /// without locks.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let at = |cause: String| JournalError::Open {
            path: path.to_owned(),
            cause,
        };
        let mut connection = database::open(path, &SCHEMA).map_err(|e| at(e.to_string()))?;
        // Canonical, so that all processes look for locks in one place.
        let path = &path.canonicalize().map_err(|e| at(e.to_string()))?;
        let settled = host::settle(&mut connection, path)?;
        let host = Host::register(&mut connection, Some(path))?;
        let reader = database::open_again(path).map_err(|e| at(e.to_string()))?;
        Self::start(
            Arc::new(Mutex::new(connection)),
            Arc::new(Mutex::new(reader)),
            host,
            settled,
        )
    }

    /// A journal in memory, which ends with its last clone.
    ///
    /// # Errors
    ///
    /// SQLite cannot be used at all.
    pub fn in_memory() -> Result<Self, JournalError> {
        let mut connection = database::open_in_memory(&SCHEMA).map_err(|e| JournalError::Open {
            path: ":memory:".into(),
            cause: e.to_string(),
        })?;
        let host = Host::register(&mut connection, None)?;
        let connection = Arc::new(Mutex::new(connection));
        Self::start(connection.clone(), connection, host, Vec::new())
    }

    fn start(
        connection: Arc<Mutex<Connection>>,
        reader: Arc<Mutex<Connection>>,
        host: Host,
        settled: Vec<JournalRun>,
    ) -> Result<Self, JournalError> {
        let (sender, messages) = sync_channel(QUEUE);
        let (id, problem) = (host.id, Arc::new(Problem::default()));
        let writer = Writer {
            connection,
            host,
            messages,
            problem: problem.clone(),
        };
        let thread = std::thread::Builder::new()
            .name("portcullis-journal".into())
            .spawn(move || writer.run())
            .map_err(|_| JournalError::Stopped)?;
        Ok(Self {
            inner: Arc::new(Inner {
                host: id,
                next_id: AtomicI64::new(1),
                settled,
                problem,
                reader,
                sender: Some(sender),
                writer: Some(thread),
            }),
        })
    }

    /// The open runs of dead hosts that were found when the journal was opened.
    pub fn settled(&self) -> &[JournalRun] {
        &self.inner.settled
    }

    /// The id of this host in the journal (see [`JournalRun::host`]).
    pub fn host(&self) -> i64 {
        self.inner.host
    }

    /// An id that no other run of this host has.
    pub fn next_id(&self) -> i64 {
        self.inner.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Records the start of a run. Waits only if the writer is far behind.
    pub fn begin(&self, row: RunRow) {
        self.write(Record::Begin(Box::new(row)));
    }

    /// Records the end of a run. Waits only if the writer is far behind.
    pub fn end(&self, id: i64, end: RunEnd) {
        let (at_ms, end) = (now_ms(), Box::new(end));
        self.write(Record::End { id, at_ms, end });
    }

    fn write(&self, record: Record) {
        if self.inner.send(Message::Write(record)).is_err() {
            self.inner.problem.report(JournalError::Stopped);
        }
    }

    /// Waits until everything recorded so far is written.
    ///
    /// # Errors
    ///
    /// The first failure to write: see [`Journal::problem`].
    pub fn flush(&self) -> Result<(), JournalError> {
        self.inner.barrier()?;
        self.problem().map_or(Ok(()), Err)
    }

    /// Waits until everything recorded so far is written, without blocking an async thread.
    ///
    /// # Errors
    ///
    /// See [`Journal::flush`].
    pub async fn flush_async(&self) -> Result<(), JournalError> {
        let journal = self.clone();
        tokio::task::spawn_blocking(move || journal.flush())
            .await
            .unwrap_or(Err(JournalError::Stopped))
    }

    /// The first failure to write, if there was one. It has been logged.
    pub fn problem(&self) -> Option<JournalError> {
        self.inner.problem.get().cloned()
    }

    /// The runs of all hosts that fit the filter, in the order they were written, including all
    /// that this host has recorded. Blocks, so do not call it on an async thread.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is damaged.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<JournalRun>, JournalError> {
        self.inner.barrier()?;
        Ok(read::runs(&self.inner.reader.lock(), filter)?)
    }

    /// The totals of each hook, by name. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn summary(&self) -> Result<Vec<HookSummary>, JournalError> {
        self.inner.barrier()?;
        Ok(summary::summary(&self.inner.reader.lock())?)
    }
}

impl Inner {
    fn send(&self, message: Message) -> Result<(), JournalError> {
        let sender = self.sender.as_ref().ok_or(JournalError::Stopped)?;
        sender.send(message).map_err(|_| JournalError::Stopped)
    }

    fn barrier(&self) -> Result<(), JournalError> {
        let (reply, written) = sync_channel(1);
        self.send(Message::Flush(reply))?;
        written.recv().map_err(|_| JournalError::Stopped)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without senders the writer writes what is queued, and ends.
        self.sender = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
