//! Answers that count once the journal has the run.

mod audit;
mod promises;
mod slow;

use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::observer::RecordError;
use portcullis::points::{PreTurn, pre_turn};
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::verdict::Cause;
use portcullis::{Decision, Hooks, LoadOptions, NativeHook, Session, SessionOptions};
use portcullis_agent::{
    Agent, EventRow, HookEnd, HookRan, HookStart, NewSession, RunEnd, RunRecorder, RunRow, Script,
};
use portcullis_tests::{HooksDir, cache, turn};

use self::slow::Slow;

fn dir(settings: &str) -> HooksDir {
    HooksDir::new().with("editor").settings(&format!(
        "[hooks.editor]\n{settings}\n[hooks.editor.grants]\nevents = true\n\
         agent-state-edit = [\"risk\"]\n"
    ))
}

fn load(dir: &HooksDir, records_runs: bool) -> Result<Hooks, String> {
    load_beside(dir, records_runs, [])
}

fn load_beside(
    dir: &HooksDir,
    records_runs: bool,
    native: impl IntoIterator<Item = NativeHook>,
) -> Result<Hooks, String> {
    let options = LoadOptions {
        cache: cache(),
        records_runs,
        native: native.into_iter().collect(),
        ..LoadOptions::default()
    };
    Hooks::load(dir.path(), &options).map_err(|error| error.to_string())
}

fn session(hooks: &Hooks, journal: &Arc<Slow>) -> Session {
    hooks.session(SessionOptions {
        sink: journal.clone(),
        ..SessionOptions::new("test")
    })
}

const BEFORE: &str = "write-run = \"before-answer\"";

#[tokio::test]
async fn an_answer_waits_for_the_journal_if_the_operator_says_so() {
    for (settings, waits) in [("", false), (BEFORE, true)] {
        let hooks = load(&dir(settings), true).expect("hooks");
        let journal = Slow::new(None);
        let session = session(&hooks, &journal);
        let mut call = turn("set risk 1");
        let mut run = Box::pin(session.run(&mut call));
        if waits {
            assert!((&mut run).now_or_never().is_none());
            assert_eq!(journal.asked(), 1);
            journal.answers.send_replace(Some(Ok(())));
        }
        let verdict = run.await;
        assert!(verdict.decision.passed(), "{:?}", verdict.runs);
        assert_eq!(verdict.side_outputs.len(), 1);
        assert_eq!(journal.asked(), usize::from(waits), "{settings}");
    }
}

#[tokio::test]
async fn a_journal_that_fails_is_a_failure_of_the_hook_and_nothing_of_the_call_stays() {
    let hooks = load(&dir(BEFORE), true).expect("hooks");
    let journal = Slow::new(Some(Err(RecordError("the disk is full".into()))));
    let verdict = session(&hooks, &journal).run(&mut turn("set risk 1")).await;
    let Decision::Failed(failed) = &verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert_eq!(failed.failure.cause(), Cause::Journal);
    assert!(failed.to_string().contains("the disk is full"), "{failed}");
    assert!(verdict.side_outputs.is_empty());
    assert!(verdict.runs[0].contributed.is_empty());
}

#[tokio::test]
async fn a_native_hook_waits_for_the_journal_too() {
    let settings = "[hooks.native]\nwrite-run = \"before-answer\"\n";
    let native = NativeHook::new("native").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let dir = HooksDir::new().settings(settings);
    let hooks = load_beside(&dir, true, [native]).expect("hooks");
    let journal = Slow::new(Some(Err(RecordError("no".into()))));
    let verdict = session(&hooks, &journal).run(&mut turn("hello")).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Journal));
    // An observer that keeps no runs cannot meet the requirement.
    let verdict = hooks
        .session(SessionOptions::new("test"))
        .run(&mut turn("hello"))
        .await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Journal));
}

#[cfg(unix)]
#[tokio::test]
async fn a_script_waits_for_the_journal_too() {
    for (settings, cause) in [("", None), (BEFORE, Some(Cause::Journal))] {
        let dir = HooksDir::new().settings(&format!(
            "[scripts.check]\ncommand = [\"true\"]\npoints = [\"pre-turn\"]\n{settings}\n"
        ));
        let hooks = load(&dir, true).expect("hooks");
        let journal = Slow::new(Some(Err(RecordError("no".into()))));
        let verdict = session(&hooks, &journal).run(&mut turn("hello")).await;
        assert_eq!(verdict.runs[0].cause(), cause, "{verdict:?}");
    }
}

/// A journal that keeps the events that it receives.
#[derive(Clone, Default)]
struct Told {
    told: Arc<Mutex<Vec<String>>>,
}

impl Told {
    fn add(&self, text: String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(text);
    }
}

impl RunRecorder for Told {
    fn begin(&self, row: RunRow) {
        self.add(format!("begin {} {}", row.id, row.hook));
    }

    fn end(&self, id: i64, _: RunEnd) {
        self.add(format!("end {id}"));
    }

    fn hook_began(&self, start: HookStart) {
        self.begin(start.row());
    }

    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.end(id, end.end());
    }

    fn hook_ran(&self, ran: HookRan<'_>) {
        let start = ran.start();
        self.add(format!("ran {} {}", start.id, start.hook()));
    }

    fn event(&self, _: EventRow) {}

    fn keeps_values(&self) -> bool {
        false
    }

    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }

    fn call(&self, _: RecordedCall) {}

    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        self.add(format!("committed {session}"));
        std::future::ready(Ok(())).boxed()
    }
}

#[tokio::test]
async fn an_agent_asks_its_journal_for_the_runs_that_are_open() {
    let script = r#"{"providers": [{"name": "main", "responses": [{"text": "hello"}]}]}"#;
    let journal = Told::default();
    let agent = Agent::builder()
        .providers(Script::parse(script).expect("a script").providers())
        .hooks(load(&dir(BEFORE), true).expect("hooks"))
        .journal(journal.clone())
        .build()
        .expect("an agent");
    let session = agent.session(NewSession::default()).await;
    let mut session = session.expect("a session");
    let id = session.id().to_owned();
    session.turn("hello").await.expect("a turn");
    session.close().await;
    let told = journal.told.lock().unwrap_or_else(PoisonError::into_inner);
    // At pre-turn, and at post-turn.
    let ids = told.iter().filter_map(|it| it.strip_prefix("begin "));
    let ids: Vec<&str> = ids.filter_map(|it| it.strip_suffix(" editor")).collect();
    let committed = format!("committed {id}");
    let run = |id: &&str| {
        [
            format!("begin {id} editor"),
            committed.clone(),
            format!("end {id}"),
        ]
    };
    assert_eq!(ids.len(), 2);
    assert_eq!(*told, ids.iter().flat_map(run).collect::<Vec<_>>());
}
