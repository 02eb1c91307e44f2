//! Recording the demo's calls, with the journal that explains them.

use std::path::Path;

use anyhow::{Context as _, bail};
use futures::future::BoxFuture;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis_agent::{EventRow, HookEnd, HookRan, HookStart, RunEnd, RunRecorder, RunRow};
use portcullis_explain::MemoryJournal;
use portcullis_store::{Journal, RecordingOptions, SessionFilter, Store, StoreOptions, StoreUrl};

use crate::story::SESSION;

/// The journal in memory, and the journal in a store with the recorded calls.
#[derive(Clone)]
pub struct Recorded {
    memory: MemoryJournal,
    stored: Journal,
}

impl Recorded {
    /// Opens a journal in this file, which is created if it does not exist. A file that already has
    /// the demo's session is refused, since it would have two sessions under one id.
    pub async fn open(memory: MemoryJournal, file: &Path) -> anyhow::Result<Self> {
        let opened = async {
            let url: StoreUrl = format!("sqlite:{}", file.display()).parse()?;
            let store = Store::open(url, StoreOptions::default()).await?;
            let journal = store.journal()?;
            let is_taken = has_demo(journal.clone()).await?;
            let recorder = store.recorder(RecordingOptions::default())?;
            let stored = journal.keeping_values(true).recording(recorder);
            anyhow::Ok((stored, is_taken))
        };
        let opened = opened.await;
        let (stored, is_taken) = opened.with_context(|| {
            format!(
                "--record {}: calls cannot be recorded there",
                file.display()
            )
        })?;
        if is_taken {
            bail!(
                "--record {}: the file has the session `{SESSION}` already; name another file, or remove this one",
                file.display()
            );
        }
        Ok(Self { memory, stored })
    }

    /// Waits until all records are written.
    pub async fn flush(&self) -> anyhow::Result<()> {
        Ok(self.stored.flush_async().await?)
    }
}

/// Returns whether a journal has a session of the demo.
async fn has_demo(journal: Journal) -> anyhow::Result<bool> {
    let filter = SessionFilter {
        session: Some(SESSION.to_owned()),
        top: false,
        limit: 1,
        ..SessionFilter::default()
    };
    let found = tokio::task::spawn_blocking(move || journal.overview(&filter)).await?;
    Ok(!found?.is_empty())
}

impl RunRecorder for Recorded {
    fn begin(&self, row: RunRow) {
        self.stored.begin(row.clone());
        self.memory.begin(row);
    }

    fn end(&self, id: i64, end: RunEnd) {
        self.stored.end(id, end.clone());
        self.memory.end(id, end);
    }

    fn hook_began(&self, start: HookStart) {
        self.memory.hook_began(start.clone());
        self.stored.hook_began(start);
    }

    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.memory.hook_ended(id, end.clone());
        self.stored.hook_ended(id, end);
    }

    fn hook_ran(&self, ran: HookRan<'_>) {
        self.memory.hook_ran(ran);
        self.stored.hook_ran(ran);
    }

    fn event(&self, event: EventRow) {
        self.stored.event(event.clone());
        self.memory.event(event);
    }

    fn keeps_values(&self) -> bool {
        self.memory.keeps_values()
    }

    fn records_calls(&self) -> CallRecording {
        self.stored.records_calls()
    }

    fn call(&self, call: RecordedCall) {
        self.stored.call(call);
    }

    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.stored.committed(session)
    }
}
