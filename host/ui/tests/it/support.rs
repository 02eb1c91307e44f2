//! A server of a store, and sessions in it.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use futures::future::BoxFuture;
use portcullis_agent::{
    Answerer, CheckpointId, CheckpointStore as _, EventRow, JournalEvent, NewCheckpoint,
    PendingCall, Question, Resolution, RunEnd, RunRecorder as _, RunRow, RunState, Wanted,
    next_run_id,
};
use portcullis_store::{Journal, Store, StoreOptions, StoreUrl};
use portcullis_ui::{Continue, Continued, Listening, Ui};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A server, and the store as another process opens it.
pub struct Served {
    pub url: String,
    pub store: Store,
    pub journal: Journal,
    /// The turns that were continued.
    pub continued: mpsc::UnboundedReceiver<Continued>,
    pub runtime: Runtime,
    stop: CancellationToken,
    _dir: TempDir,
}

struct Noted(mpsc::UnboundedSender<Continued>);

impl Continue for Noted {
    fn continued(&self, turn: Continued) -> BoxFuture<'static, Result<(), String>> {
        let sent = self.0.send(turn).map_err(|error| error.to_string());
        Box::pin(async { sent })
    }
}

impl Served {
    pub fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let url = StoreUrl::sqlite(dir.path().join("store.sqlite"));
        let open = || Store::open_blocking(url.clone(), StoreOptions::default()).unwrap();
        let (store, shown) = (open(), open());
        let (sender, continued) = mpsc::unbounded_channel();
        let ui = Ui::new(shown, "ann", Noted(sender)).unwrap();
        let runtime = Runtime::new().unwrap();
        let stop = CancellationToken::new();
        let serving = runtime.block_on(async {
            let any = SocketAddr::from(([127, 0, 0, 1], 0));
            let listening = Listening::bind(any).await.unwrap();
            listening.serve(ui, stop.clone()).unwrap()
        });
        let url = serving.url().to_owned();
        runtime.spawn(serving.ended());
        Self {
            url,
            journal: store.journal().unwrap(),
            store,
            continued,
            runtime,
            stop,
            _dir: dir,
        }
    }

    /// Returns the server's address without a path.
    pub fn address(&self) -> &str {
        self.url.split("/login").next().unwrap()
    }

    pub fn token(&self) -> &str {
        self.url.split('#').nth(1).unwrap()
    }

    pub fn event(&self, session: &str, turn: u32, step: u32, event: JournalEvent) {
        self.journal.event(EventRow {
            id: next_run_id(),
            session: session.to_owned(),
            turn,
            step,
            at_ms: 1_763_899_445_000 + u64::from(turn) * 1_000,
            event,
        });
        self.journal.flush().unwrap();
    }

    pub fn run(&self, session: &str, (turn, step): (u32, u32), hook: &str, outcome: &str) {
        let id = next_run_id();
        self.journal.begin(RunRow {
            id,
            session: session.to_owned(),
            turn,
            step,
            point: "pre-tool-call".into(),
            hook: hook.to_owned(),
            attempt: 1,
            started_ms: 1_763_899_445_000 + u64::from(turn) * 1_000,
            ..RunRow::default()
        });
        self.journal.end(
            id,
            RunEnd {
                outcome: Some(outcome.to_owned().into()),
                latency_us: Some(180),
                message: (outcome == "reject").then(|| format!("{hook} says no")),
                ..RunEnd::of(RunState::Completed)
            },
        );
        self.journal.flush().unwrap();
    }

    /// Records a session with a running turn.
    pub fn begin(&self, session: &str, said: &str) {
        let opened = JournalEvent::SessionOpened {
            agent: "helper".into(),
            parent: None,
            hooks: Vec::new(),
        };
        self.event(session, 0, 0, opened);
        let input = Some(said.to_owned());
        self.event(session, 1, 0, JournalEvent::TurnBegan { input });
    }

    /// Discards a suspended turn, as another process does.
    pub fn discard(&self, id: &CheckpointId) {
        let saved = self.store.checkpoints();
        self.runtime.block_on(saved.discard(id)).unwrap();
    }

    /// Approves a call, as another process does.
    pub fn resolve(&self, id: &CheckpointId, call: &str) {
        let answers = BTreeMap::from([(call.to_owned(), Resolution::yes())]);
        let saved = self.store.checkpoints();
        let by = Answerer::new("anna, on the command line");
        let resolved = self.runtime.block_on(saved.resolve(id, answers, by));
        resolved.unwrap();
    }

    /// Suspends a turn at calls that ask.
    pub fn suspend(&self, session: &str, calls: &[(&str, &str)]) -> CheckpointId {
        let reason = "a question was deferred".to_owned();
        self.event(session, 1, 1, JournalEvent::TurnSuspended { reason });
        self.checkpoint(session, calls)
    }

    /// Like [`Self::suspend`], for an agent that keeps no journal.
    pub fn checkpoint(&self, session: &str, calls: &[(&str, &str)]) -> CheckpointId {
        self.save(session, calls, None)
    }

    /// Saves a turn whose wait for answers ended in 1970.
    pub fn expired(&self, session: &str, calls: &[(&str, &str)]) -> CheckpointId {
        self.save(session, calls, Some(1))
    }

    fn save(&self, session: &str, calls: &[(&str, &str)], until_ms: Option<u64>) -> CheckpointId {
        let reason = "a question was deferred".to_owned();
        let pending = calls.iter().map(|(call, question)| PendingCall {
            call_id: (*call).to_owned(),
            tool: "write_file".into(),
            arguments: r#"{"path":"a.md","text":"hello"}"#.into(),
            wants: Wanted::Decision {
                hook: "path-guard".into(),
                request: Question {
                    question: (*question).to_owned(),
                    details: Some("It is outside of the project.".into()),
                },
                then: Vec::new(),
            },
        });
        let new = NewCheckpoint {
            session: session.to_owned(),
            root_session: session.to_owned(),
            agent: "helper".into(),
            turn: 1,
            reason,
            pending: pending.collect(),
            of_subagent: false,
            until_ms,
            data: serde_json::json!({}),
        };
        let saved = self.store.checkpoints();
        self.runtime
            .block_on(async { saved.save(new).await })
            .unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
