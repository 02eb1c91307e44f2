//! Recorded calls of hooks, in blocks.

mod delete;
mod files;
mod read;
mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::settings::RecordingTable;
use portcullis_recording::{Recipient, RecordingError, Redaction, Rule, StoredCall};

pub(crate) use self::delete::{forget_unused, lock, of_session, unsaved};
pub(crate) use self::files::Locked;
pub(crate) use self::read::{Block, blocks_since};
pub use self::read::{DamagedBlock, RecordedCalls, RecordingFilter, RecordingTotals};
use self::write::{BATCH, LARGE_BATCH, LARGE_QUEUE, Message, QUEUE, Writer};
use crate::error::StoreError;
use crate::queue::{Sender, queue};
use crate::store::Store;

/// The sessions with recorded calls, by hook. Blocks of an older version do not name their
/// sessions.
pub type RecordedNames = BTreeMap<String, BTreeSet<String>>;

/// The options for recording calls, and the limits on the recorded calls.
#[derive(Debug, Clone)]
pub struct RecordingOptions {
    /// The values that are removed from calls, beside the secrets of hooks. Default: none.
    pub redaction: Redaction,
    /// The recipients that recorded calls are encrypted for. Default: none; calls are not
    /// encrypted.
    pub recipients: Vec<Recipient>,
    /// The maximum number of bytes of a call, as text. Of a larger call only the result is
    /// recorded. Default: 256 KiB.
    pub call_bytes: NonZeroUsize,
    /// The extent of call recording. Default: the contents of directories that hooks are granted
    /// are not recorded.
    pub calls: CallRecording,
    /// Days after which calls are deleted. Default: never.
    pub keep_days: Option<NonZeroU32>,
    /// The maximum number of bytes of all recordings in the store; the oldest are deleted first.
    /// Default: 1 GiB.
    pub keep_bytes: NonZeroU64,
    /// The maximum number of calls in the store; the oldest are deleted first. Default: no limit.
    pub keep_calls: Option<NonZeroU64>,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self::with(&RecordingTable::default(), Redaction::default(), Vec::new())
    }
}

impl RecordingOptions {
    /// Creates the options of a table of settings.
    ///
    /// # Errors
    ///
    /// Returns the invalid key of the table and the error: a rule is not a regular expression, or a
    /// recipient is not a public key.
    pub fn of(table: &RecordingTable) -> Result<Self, (&'static str, RecordingError)> {
        let rules = table.redact.iter().map(|rule| Rule::new(rule));
        let rules = rules.collect::<Result<_, _>>();
        let recipients = table.recipients.iter().map(|text| text.parse());
        let redaction = Redaction::new(rules.map_err(|e| ("redact", e))?);
        let recipients = recipients.collect::<Result<_, _>>();
        let recipients = recipients.map_err(|e| ("recipients", e))?;
        Ok(Self::with(table, redaction, recipients))
    }

    fn with(table: &RecordingTable, redaction: Redaction, recipients: Vec<Recipient>) -> Self {
        Self {
            redaction,
            recipients,
            call_bytes: table.call_bytes,
            calls: table.calls(),
            keep_days: table.keep_days,
            keep_bytes: table.keep_bytes,
            keep_calls: table.keep_calls,
        }
    }
}

/// Records calls in a [`Store`]. Cheap to clone. Dropping the last clone writes all queued calls.
#[derive(Debug, Clone)]
pub struct Recorder(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    sender: Option<Sender<Message>>,
    writer: Option<JoinHandle<()>>,
    records: CallRecording,
}

impl Store {
    /// Returns a recorder of calls, and starts a thread that writes them.
    ///
    /// # Errors
    ///
    /// No thread can be started, or there are no random numbers for the encryption.
    pub fn recorder(&self, options: RecordingOptions) -> Result<Recorder, StoreError> {
        let records = options.calls;
        let (sender, messages) = match records {
            CallRecording::WithDirectories(_) => queue(LARGE_BATCH, LARGE_QUEUE),
            CallRecording::Off | CallRecording::Calls => queue(BATCH, QUEUE),
        };
        let writer = Writer::new(self.clone(), messages, options)?;
        let thread = std::thread::Builder::new()
            .name("portcullis-recorder".into())
            .spawn(move || writer.run())
            .map_err(|e| StoreError::NoWriter(e.to_string()))?;
        Ok(Recorder(Arc::new(Inner {
            sender: Some(sender),
            writer: Some(thread),
            records,
        })))
    }

    /// Returns the recorded calls that fit the filter. Damaged ones are counted. Blocks, so do not
    /// call it on an async thread.
    ///
    /// # Errors
    ///
    /// The store cannot be read, or a newer version or other keys are needed to read a recording.
    pub fn recorded_calls(&self, filter: &RecordingFilter) -> Result<RecordedCalls, StoreError> {
        let wanted = filter.clone();
        let blocks = self.wait(|database| async move { read::blocks(&database, &wanted).await })?;
        let mut recorded = read::calls(&blocks, filter)?;
        let names = recorded.calls.iter().flat_map(StoredCall::content_names);
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        if names.is_empty() {
            return Ok(recorded);
        }
        let names = names.into_iter().collect();
        let stored =
            self.wait(|database| async move { files::contents(&database, names).await })?;
        let contents: Arc<BTreeMap<_, _>> = Arc::new(files::read(stored, &filter.identities)?);
        for call in &mut recorded.calls {
            call.contents = contents.clone();
        }
        Ok(recorded)
    }

    /// Returns the hooks whose calls are recorded, and their sessions. Blocks whose hooks cannot be
    /// read are left out. Blocks the thread like [`Store::recorded_calls`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn recorded_names(&self) -> Result<RecordedNames, StoreError> {
        let blocks = self.wait(|database| async move { blocks_since(&database, 0).await })?;
        let mut names = RecordedNames::new();
        for block in blocks {
            for hook in block.hooks.into_iter().flatten() {
                let sessions = names.entry(hook).or_default();
                sessions.extend(block.session.clone());
            }
        }
        Ok(names)
    }

    /// Returns the number of recorded calls, and their bytes. Blocks like
    /// [`Store::recorded_calls`].
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn recording_totals(&self) -> Result<RecordingTotals, StoreError> {
        self.wait(|database| async move { read::totals(&database).await })
    }
}

impl Recorder {
    /// Returns the extent of call recording.
    pub fn records(&self) -> CallRecording {
        self.0.records
    }

    /// Records a call, under its run's id in the journal.
    pub fn call(&self, call: RecordedCall) {
        if let Some(sender) = &self.0.sender {
            // A writer that has ended has logged the reason.
            let _ = sender.send(Message::Call(call));
        }
    }

    /// Waits until all calls so far are written.
    pub fn flush(&self) {
        let (reply, written) = sync_channel(1);
        if let Some(sender) = &self.0.sender
            && sender.send_urgent(Message::Flush(reply)).is_ok()
        {
            let _ = written.recv();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Without senders the writer writes the queued calls, and ends.
        self.sender = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
