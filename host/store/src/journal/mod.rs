//! The journal: all hook calls, and the agent's actions between them.
//!
//! A run that may take long is recorded before its hook is called, and again when it ends, so that
//! an interrupted run differs from one that never began. If both records are still queued, they
//! become one. A short run is one record.

mod activity;
mod answer;
mod columns;
mod error;
mod events;
mod filter;
mod histogram;
mod kinds;
mod read;
mod record;
mod run;
mod sessions;
mod shadow;
mod stats;
mod tables;
mod writer;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

use futures::future::BoxFuture;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::threads;
use portcullis_agent::{EventRow, HookEnd, HookRan, HookStart, RunEnd, RunRecorder, RunRow};

use tokio::sync::oneshot;

pub use self::activity::HookActivity;
pub use self::error::JournalError;
pub use self::events::RecordedEvent;
pub use self::filter::RunFilter;
use self::record::{Begun, Ended, Record};
pub use self::run::JournalRun;
pub use self::sessions::{JournalSession, SessionFilter, TurnOutcome};
pub use self::shadow::{Example, Finding, Shadow};
pub use self::stats::{HookStats, RunStats, Spread};
use self::writer::{BATCH, Message, Problem, QUEUE, Writer};
use crate::database::now_ms;
use crate::queue::{Sender, queue};
use crate::recordings::{Block, Recorder, blocks_since};
use crate::store::{PatientWriter, Store};

/// The journal of hook runs in a [`Store`]. Cheap to clone. Dropping the last clone writes all that is
/// queued.
///
/// ```
/// use portcullis_agent::{RunEnd, RunRecorder as _, RunRow, RunState, next_run_id};
/// use portcullis_store::{RunFilter, Store};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let journal = Store::temporary()?.journal()?;
/// let id = next_run_id();
/// journal.begin(RunRow { id, hook: "redact".into(), ..RunRow::default() });
/// journal.end(id, RunEnd { latency_us: Some(120), ..RunEnd::of(RunState::Completed) });
/// assert_eq!(journal.runs(&RunFilter::default())?.len(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Journal {
    inner: Arc<Inner>,
    keeps_values: bool,
    recorder: Option<Recorder>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    problem: Arc<Problem>,
    sender: Option<Sender<Message>>,
    writer: Option<JoinHandle<()>>,
}

impl Store {
    /// Returns the store's journal, and starts a thread that writes it.
    ///
    /// # Errors
    ///
    /// No thread can be started.
    pub fn journal(&self) -> Result<Journal, JournalError> {
        let (sender, messages) = queue(BATCH, QUEUE);
        let problem = Arc::new(Problem::default());
        let writer = Writer {
            writing: self.writing(),
            store: self.clone(),
            messages,
            problem: problem.clone(),
            open: HashMap::new(),
            kinds: HashMap::new(),
            patience: PatientWriter::default(),
        };
        let thread = std::thread::Builder::new()
            .name("portcullis-journal".into())
            .spawn(move || writer.run())
            .map_err(|e| JournalError::NoWriter(e.to_string()))?;
        Ok(Journal {
            inner: Arc::new(Inner {
                store: self.clone(),
                problem,
                sender: Some(sender),
                writer: Some(thread),
            }),
            keeps_values: false,
            recorder: None,
        })
    }
}

impl RunRecorder for Journal {
    fn begin(&self, row: RunRow) {
        self.write(Record::begun(Begun::Row(Box::new(row))));
    }

    fn end(&self, id: i64, end: RunEnd) {
        self.ended(id, Ended::Row(now_ms(), Box::new(end)));
    }

    fn hook_began(&self, start: HookStart) {
        self.run(|| start, || None);
    }

    fn hook_ran(&self, ran: HookRan<'_>) {
        self.run(
            || ran.start(),
            || Some(Ended::Hook(ran.end(self.keeps_values))),
        );
    }

    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.ended(id, Ended::Hook(end));
    }

    fn event(&self, event: EventRow) {
        self.write(Record::Event(Box::new(event)));
    }

    fn keeps_values(&self) -> bool {
        self.keeps_values
    }

    fn records_calls(&self) -> CallRecording {
        let recorder = self.recorder.as_ref();
        recorder.map_or(CallRecording::Off, Recorder::records)
    }

    fn call(&self, call: RecordedCall) {
        if let Some(recorder) = &self.recorder {
            recorder.call(call);
        }
    }

    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        let stopped = |_| JournalError::Stopped.to_string();
        let (reply, written) = oneshot::channel();
        let sent = self
            .inner
            .send(Message::Committed(session.to_owned(), reply));
        Box::pin(async move {
            sent.map_err(|error| error.to_string())?;
            written.await.map_err(stopped)?
        })
    }
}

impl Journal {
    /// Returns the id of this host in the journal (see [`JournalRun::host`]).
    pub fn host(&self) -> i64 {
        self.inner.store.host()
    }

    /// Returns the journal with value recording set. The recorded values are the fields that hooks
    /// and people change, the contributions of hooks, the arguments and results of tools, and the
    /// texts of turns: [`RunRecorder::keeps_values`].
    pub fn keeping_values(self, keeps_values: bool) -> Self {
        Self {
            keeps_values,
            ..self
        }
    }

    /// Returns the journal with a recorder of component calls: [`RunRecorder::records_calls`].
    pub fn recording(self, recorder: Recorder) -> Self {
        Self {
            recorder: Some(recorder),
            ..self
        }
    }

    fn write(&self, record: Record) {
        if let Err(error) = self.inner.send(Message::Write(record)) {
            self.inner.problem.report(error);
        }
    }

    /// Records the start of a hook's run, and its end if it has ended. Both are created in the
    /// queue, because moving them there takes longer.
    #[inline]
    fn run(&self, start: impl FnOnce() -> HookStart, end: impl FnOnce() -> Option<Ended>) {
        let Some(sender) = &self.inner.sender else {
            return self.stopped();
        };
        let message = |start| {
            Message::Write(Record::Run {
                start: Begun::Hook(start),
                end: end(),
            })
        };
        let sent = match sender.is_behind() {
            false => sender.send_made(|| message(start())),
            true => {
                // A hook's input may be large, and must not be kept for thousands of runs.
                let mut start = start();
                start.digest_given();
                sender.send(message(start))
            }
        };
        if sent.is_err() {
            self.stopped();
        }
    }

    /// Records the end of a run. The end is joined to the start if the start is still queued.
    fn ended(&self, id: i64, end: Ended) {
        let Some(sender) = &self.inner.sender else {
            return self.stopped();
        };
        let joined = sender.join(
            end,
            |message| matches!(message, Message::Write(record) if record.is_open(id)),
            |message, end| {
                if let Message::Write(record) = message {
                    record.end(end);
                }
            },
            |end| Message::Write(Record::End { id, end }),
        );
        if joined.is_err() {
            self.stopped();
        }
    }

    /// Reports that the writer has ended.
    #[cold]
    fn stopped(&self) {
        self.inner.problem.report(JournalError::Stopped);
    }

    /// Waits until everything recorded so far is written.
    ///
    /// # Errors
    ///
    /// The first failure to write: see [`Journal::problem`].
    pub fn flush(&self) -> Result<(), JournalError> {
        if let Some(recorder) = &self.recorder {
            recorder.flush();
        }
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
        threads::blocking(move || journal.flush()).await?
    }

    /// Returns the first failure to write, if there was one. It has been logged.
    pub fn problem(&self) -> Option<JournalError> {
        self.inner.problem.get().cloned()
    }

    /// Returns the runs of all hosts that fit the filter, in the filter's order. They include all
    /// runs that this host has recorded so far. Blocks, so do not call it on an async thread.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub fn runs(&self, filter: &RunFilter) -> Result<Vec<JournalRun>, JournalError> {
        self.inner.barrier()?;
        let filter = filter.clone();
        let read = |database| async move { Ok(read::runs(&database, &filter).await?) };
        self.inner.store.wait(read)
    }

    /// Returns the last of these runs whose call is recorded, according to the times of the
    /// recordings. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn last_recorded<'a>(
        &self,
        runs: &'a [JournalRun],
    ) -> Result<Option<&'a JournalRun>, JournalError> {
        let Some(since) = runs.iter().map(|run| run.row.started_ms).min() else {
            return Ok(None);
        };
        let read = move |database| async move { Ok(blocks_since(&database, since).await?) };
        let blocks: Result<Vec<Block>, JournalError> = self.inner.store.wait(read);
        let blocks = blocks?;
        let is_recorded = |run: &&JournalRun| {
            let JournalRun { host, row, .. } = run;
            let end = run.ended_ms.unwrap_or(row.started_ms);
            let mut blocks = blocks.iter();
            // Only the run of a component that was called has a memory size.
            run.end.memory.is_some()
                && blocks
                    .any(|block| block.has(*host, &row.session, &row.hook, row.started_ms, end))
        };
        Ok(runs.iter().rev().find(is_recorded))
    }

    /// Returns the agent's events in a session, one host after the other, and in order within each.
    /// Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub fn events(&self, session: &str) -> Result<Vec<RecordedEvent>, JournalError> {
        self.inner.barrier()?;
        let session = session.to_owned();
        let read = |database| async move { Ok(events::events(&database, &session).await?) };
        self.inner.store.wait(read)
    }

    /// Returns the hooks that have runs, the most recent first: at most 1,000. Blocks like
    /// [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn hooks(&self) -> Result<Vec<String>, JournalError> {
        self.inner.barrier()?;
        let read = |database| async move { Ok(read::hooks(&database).await?) };
        self.inner.store.wait(read)
    }

    /// Returns the journal's sessions, including those of sub-agents, the most recently active
    /// first: at most 1,000. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn sessions(&self) -> Result<Vec<String>, JournalError> {
        let all = self.overview(&SessionFilter {
            top: false,
            limit: 1_000,
            ..SessionFilter::default()
        })?;
        Ok(all.into_iter().map(|session| session.session).collect())
    }

    /// Returns the journal's sessions, the most recently active first. Blocks like
    /// [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn overview(&self, filter: &SessionFilter) -> Result<Vec<JournalSession>, JournalError> {
        self.inner.barrier()?;
        let filter = filter.clone();
        let read = |database| async move { Ok(sessions::sessions(&database, &filter).await?) };
        self.inner.store.wait(read)
    }

    /// Returns a number that grows when a record of a session or one of its sub-agents is written;
    /// 0 if the journal has no records of it. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn revision(&self, session: &str) -> Result<u64, JournalError> {
        self.inner.barrier()?;
        let session = session.to_owned();
        let read = |database| async move { Ok(sessions::revision(&database, &session).await?) };
        self.inner.store.wait(read)
    }

    /// Returns the statistics of each hook, by name, over all runs that fit the filter. The
    /// filter's limit and order do not count. Uses memory for each hook and point, not for each
    /// run. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub fn stats(&self, filter: &RunFilter) -> Result<Vec<HookStats>, JournalError> {
        self.inner.barrier()?;
        let filter = filter.clone();
        let read = |database| async move { Ok(stats::stats(&database, &filter).await?) };
        self.inner.store.wait(read)
    }

    /// Returns the effects that hooks in audit mode would have had in the runs that fit the filter,
    /// beside the enforced ones, by hook and point. The filter's limit and order do not count.
    /// Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read, or is damaged.
    pub fn shadow(&self, filter: &RunFilter) -> Result<Vec<Shadow>, JournalError> {
        self.inner.barrier()?;
        let filter = filter.clone();
        let read = |database| async move { Ok(shadow::report(&database, &filter).await?) };
        self.inner.store.wait(read)
    }

    /// Returns a hook's activity since a time, over any number of runs. `since_ms` counts
    /// milliseconds since 1970. Skipped runs do not count. Blocks like [`Journal::runs`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn activity(&self, hook: &str, since_ms: u64) -> Result<HookActivity, JournalError> {
        self.inner.barrier()?;
        let hook = hook.to_owned();
        let read = move |database| async move {
            Ok(activity::activity(&database, &hook, since_ms).await?)
        };
        self.inner.store.wait(read)
    }
}

impl Inner {
    fn send(&self, message: Message) -> Result<(), JournalError> {
        let sender = self.sender.as_ref().ok_or(JournalError::Stopped)?;
        let sent = match message {
            Message::Write(_) => sender.send(message),
            Message::Flush(_) | Message::Committed(..) => sender.send_urgent(message),
        };
        sent.map_err(|_| JournalError::Stopped)
    }

    fn barrier(&self) -> Result<(), JournalError> {
        let (reply, written) = sync_channel(1);
        self.send(Message::Flush(reply))?;
        written.recv().map_err(|_| JournalError::Stopped)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without senders the writer writes the queued records, and ends.
        self.sender = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
