//! Answers that count once the journal has the run.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::observer::{HookEvent, HookObserver, LogLine, RecordError, RunStarted};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::verdict::Cause;
use portcullis::{Decision, Hooks, LoadOptions, NativeHook, Session, SessionOptions};
use portcullis_agent::{Agent, NewSession, RunEnd, RunRecorder, RunRow, Script};
use portcullis_tests::{HooksDir, cache, turn};
use tokio::sync::watch;

/// A journal that answers once it is told to, with this.
struct Slow {
    answers: watch::Sender<Option<Result<(), RecordError>>>,
    begun: AtomicUsize,
    asked: AtomicUsize,
}

impl Slow {
    fn new(answer: Option<Result<(), RecordError>>) -> Arc<Self> {
        Arc::new(Self {
            answers: watch::Sender::new(answer),
            begun: AtomicUsize::new(0),
            asked: AtomicUsize::new(0),
        })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl HookObserver for Slow {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn watches_runs(&self) -> bool {
        true
    }

    fn started(&self, _: &RunStarted<'_>) {
        self.begun.fetch_add(1, Ordering::Relaxed);
    }

    fn recorded<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        assert_eq!(self.begun.load(Ordering::Relaxed), 1, "the run has begun");
        let mut answers = self.answers.subscribe();
        async move {
            let answer = answers.wait_for(Option::is_some).await.expect("an answer");
            answer.clone().unwrap_or(Ok(()))
        }
        .boxed()
    }
}

fn dir(settings: &str) -> HooksDir {
    HooksDir::new().with("editor").settings(&format!(
        "[hooks.editor]\n{settings}\n[hooks.editor.grants]\nevents = true\n\
         agent-state-edit = [\"risk\"]\n"
    ))
}

fn load(dir: &HooksDir, records_runs: bool) -> Result<Hooks, String> {
    let options = LoadOptions {
        cache: cache(),
        records_runs,
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
    let hooks = HooksDir::new().settings(settings).load_beside([native]);
    let journal = Slow::new(Some(Err(RecordError("no".into()))));
    let verdict = session(&hooks, &journal).run(&mut turn("hello")).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Journal));
    // An observer that keeps no runs cannot keep the promise.
    let verdict = hooks
        .session(SessionOptions::new("test"))
        .run(&mut turn("hello"))
        .await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Journal));
}

#[test]
fn without_a_journal_or_a_store_a_hook_that_relies_on_it_does_not_load() {
    let wrong = |settings: &str| load(&dir(settings), false).err().unwrap_or_default();
    let text = wrong(BEFORE);
    assert!(
        text.contains("`editor` has `write-run = \"before-answer\"`, and there is no journal"),
        "{text}"
    );
    let state = "write-state = \"before-answer\"";
    let text = wrong(state);
    assert!(
        text.contains("`editor` has `write-state = \"before-answer\"`, and no store is open"),
        "{text}"
    );
    // One that does not run relies on nothing.
    assert_eq!(wrong(&format!("enabled = false\n{BEFORE}\n{state}")), "");
}

#[tokio::test]
async fn a_reload_refuses_what_a_start_would_refuse() {
    let dir = dir("");
    let hooks = load(&dir, false).expect("hooks");
    let settings = "[hooks.editor]\nwrite-state = \"before-answer\"\n[hooks.editor.grants]\n\
                    events = true\nagent-state-edit = [\"risk\"]\n";
    let dir = dir.settings(settings);
    let reload = hooks.reload();
    assert!(format!("{reload:?}").contains("NoStateStore"), "{reload:?}");
    drop(dir);
}

/// A journal that keeps what it is told.
#[derive(Clone, Default)]
struct Told {
    ids: Arc<AtomicI64>,
    told: Arc<Mutex<Vec<String>>>,
}

impl Told {
    fn add(&self, text: String) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.push(text);
    }
}

impl RunRecorder for Told {
    fn next_id(&self) -> i64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    fn begin(&self, row: RunRow) {
        self.add(format!("begin {} {}", row.id, row.hook));
    }

    fn end(&self, id: i64, _: RunEnd) {
        self.add(format!("end {id}"));
    }

    fn committed(&self, ids: Vec<i64>) -> BoxFuture<'_, Result<(), String>> {
        self.add(format!("committed {ids:?}"));
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
    session.turn("hello").await.expect("a turn");
    session.close().await;
    let told = journal.told.lock().unwrap_or_else(PoisonError::into_inner);
    // At pre-turn, and at post-turn.
    let run = |id: i64| {
        let begin = format!("begin {id} editor");
        [begin, format!("committed [{id}]"), format!("end {id}")]
    };
    assert_eq!(*told, [run(0), run(1)].concat());
}
