//! The journal of hook runs: every call of every hook, kept in SQLite.
//!
//! A run is begun before its hook is called and ended when it is over, so what a crash left behind
//! can be told from what never began. Several processes may write to one file.

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
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rusqlite::Connection;

use self::host::Host;
use self::tables::{Record, SCHEMA};
use self::writer::{Message, Problem, QUEUE, Writer, lock};
use crate::basics::database;
use crate::basics::units::now_ms;

pub(crate) use hook_run::JournalRuns;

pub use error::JournalError;
pub use read::RunFilter;
pub use run::{JournalRun, RunEnd, RunRow, RunState, UnknownRunState};
pub use summary::HookSummary;

/// The journal of hook runs. Cheap to clone; the last clone writes what is left when it is dropped.
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
    /// Opens the file, which is made if it is not there, readable by its owner alone, and settles
    /// what a crash left behind: runs of hosts that are gone which never ended are now
    /// [`RunState::Lost`].
    ///
    /// # Errors
    ///
    /// A file that cannot be opened, is no journal, is from a newer version, or lies where files
    /// cannot be locked.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let at = |cause: String| JournalError::Open {
            path: path.to_owned(),
            cause,
        };
        let mut connection = database::open(path, &SCHEMA).map_err(|e| at(e.to_string()))?;
        // All processes must look for each other's locks in one place, whatever they call it.
        let path = &path.canonicalize().map_err(|e| at(e.to_string()))?;
        let settled = host::settle(&mut connection, path)?;
        let host = Host::enter(&mut connection, Some(path))?;
        let reader = database::open_again(path).map_err(|e| at(e.to_string()))?;
        Self::start(
            Arc::new(Mutex::new(connection)),
            Arc::new(Mutex::new(reader)),
            host,
            settled,
        )
    }

    /// A journal that is gone when its last clone is.
    ///
    /// # Errors
    ///
    /// SQLite cannot be used at all.
    pub fn in_memory() -> Result<Self, JournalError> {
        let mut connection = database::open_in_memory(&SCHEMA).map_err(|e| JournalError::Open {
            path: ":memory:".into(),
            cause: e.to_string(),
        })?;
        let host = Host::enter(&mut connection, None)?;
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

    /// The runs that opening the journal found without an end, and settled as lost.
    pub fn settled(&self) -> &[JournalRun] {
        &self.inner.settled
    }

    /// The id of this opening of the journal, as [`JournalRun::host`] has it.
    pub fn host(&self) -> i64 {
        self.inner.host
    }

    /// An id that no other run of this host has.
    pub fn next_id(&self) -> i64 {
        self.inner.next_id.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes that a run begins. Waits only if the writer is far behind.
    pub fn begin(&self, row: RunRow) {
        self.write(Record::Begin(Box::new(row)));
    }

    /// Notes how the run with this id ended. Waits only if the writer is far behind.
    pub fn end(&self, id: i64, end: RunEnd) {
        let (at_ms, end) = (now_ms(), Box::new(end));
        self.write(Record::End { id, at_ms, end });
    }

    fn write(&self, record: Record) {
        if self.inner.send(Message::Write(record)).is_err() {
            self.inner.problem.report(JournalError::Stopped);
        }
    }

    /// Waits until everything told so far is written.
    ///
    /// # Errors
    ///
    /// The first thing that ever went wrong with writing: see [`Journal::problem`].
    pub fn flush(&self) -> Result<(), JournalError> {
        self.inner.barrier()?;
        self.problem().map_or(Ok(()), Err)
    }

    /// Waits away from the async threads until everything told so far is written.
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

    /// The first thing that went wrong with writing, if anything did. It has been logged.
    pub fn problem(&self) -> Option<JournalError> {
        self.inner.problem.get().cloned()
    }

    /// The runs that fit the filter, of all hosts, in the order they were written; everything this
    /// host told before is among them. Blocks: keep it away from the async threads.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or holds what no journal holds.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<JournalRun>, JournalError> {
        self.inner.barrier()?;
        Ok(read::runs(&lock(&self.inner.reader), filter)?)
    }

    /// How each hook has done, by name, over all that is in the journal. Blocks like
    /// [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn summary(&self) -> Result<Vec<HookSummary>, JournalError> {
        self.inner.barrier()?;
        Ok(summary::summary(&lock(&self.inner.reader))?)
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
        // Without senders the writer writes what is left, and ends.
        self.sender = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
