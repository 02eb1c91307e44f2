//! What the hooks of a session report while they run.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::observer::{
    HookEvent, HookObserver, LogLine, RecordError, RunStarted, TracingSink,
};
use portcullis::verdict::HookRun;
use portcullis_agent::{JournalRuns, RunRecorder};

/// Passes log lines and events to `tracing`, and runs to the journal.
pub(crate) struct Observer(Option<JournalRuns>);

impl Observer {
    pub(crate) fn new(journal: Option<Arc<dyn RunRecorder>>) -> Self {
        Self(journal.map(JournalRuns::new))
    }
}

impl HookObserver for Observer {
    fn log(&self, line: LogLine<'_>) {
        TracingSink.log(line);
    }

    fn event(&self, event: HookEvent) {
        TracingSink.event(event);
    }

    fn watches_runs(&self) -> bool {
        self.0.is_some()
    }

    fn started(&self, run: &RunStarted<'_>) {
        if let Some(runs) = &self.0 {
            runs.started(run);
        }
    }

    fn ended(&self, _: &str, run: &HookRun) {
        if let Some(runs) = &self.0 {
            runs.ended(run);
        }
    }

    fn recorded<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        async move {
            match &self.0 {
                Some(runs) => runs.committed().await.map_err(RecordError),
                None => Err(RecordError("the bridge has no journal".to_owned())),
            }
        }
        .boxed()
    }

    fn on_background_end(&self, session: &str, run: &HookRun) {
        self.ended(session, run);
    }
}
