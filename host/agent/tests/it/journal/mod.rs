//! An agent's hook runs in its journal.

mod values;

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use portcullis::contract::{Context, ExecutionPolicy, HookRole};
use portcullis::hooks::{Answer, Hook, Response};
use portcullis::observer::{HookEvent, HookObserver, LogLine, TracingSink};
use portcullis::points::{
    LlmError, MessageAdded, PostLlmCall, PostTurn, PreLlmCall, PreToolCall, PreTurn, llm_error,
    message_added, post_llm_call, post_turn, pre_llm_call, pre_tool_call, pre_turn,
};
use portcullis::verdict::{Failure, HookRun};
use portcullis::{Call, Hooks, NativeHook, Session, SessionOptions, Views};
use portcullis_agent::{
    Agent, AgentConfig, JournalEvent, JournalObserver, NotRun, RulePolicy, RunEnd,
    RunRecorder as _, RunRow, RunState, Script, next_run_id,
};
use portcullis_store::{Journal, JournalRun, RunFilter, Store};

use crate::support::{Does, Trail, bench, calls_echo, quick, rejection, responses, toolbox_with};

async fn runs(journal: &Journal) -> Vec<JournalRun> {
    journal.flush_async().await.unwrap();
    let journal = journal.clone();
    let all = tokio::task::spawn_blocking(move || journal.runs(&RunFilter::default()));
    all.await.unwrap().unwrap()
}

fn of<'a>(runs: &'a [JournalRun], hook: &str) -> Vec<&'a JournalRun> {
    runs.iter().filter(|run| run.row.hook == hook).collect()
}

#[tokio::test]
async fn attempts_at_a_model_call_are_counted() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let recorded = journal.clone();
    let script = responses(&[
        r#"{"error": {"kind": "overloaded"}}"#,
        r#"{"error": {"kind": "overloaded"}}"#,
        r#"{"text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder.journal(recorded).native([NativeHook::new("sees")
            .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue))
            .on::<PreLlmCall>(|_| Ok(pre_llm_call::Outcome::Continue))
            .on::<LlmError>(|_| Ok(llm_error::Outcome::Continue))
            .on::<PostLlmCall>(|_| Ok(post_llm_call::Outcome::Continue))])
    });
    bench.session().await.turn("go").await.unwrap();
    let runs = runs(&journal).await;
    let attempts: Vec<(&str, u32)> = runs
        .iter()
        .map(|run| (run.row.point.as_str(), run.row.attempt))
        .collect();
    assert_eq!(
        attempts,
        [
            ("pre-turn", 1),
            ("pre-llm-call", 1),
            ("llm-error", 1),
            ("pre-llm-call", 2),
            ("llm-error", 2),
            ("pre-llm-call", 3),
            ("post-llm-call", 3),
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_run_is_there_with_its_end() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let recorded = journal.clone();
    let script = responses(&[
        &calls_echo("x"),
        r#"{"text": "done"}"#,
        r#"{"text": "more"}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder.journal(recorded).native([
            NativeHook::new("passes").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue)),
            NativeHook::new("jail")
                .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Reject(rejection("no", "no")))),
            NativeHook::new("skipped")
                .priority(500)
                .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Continue)),
            NativeHook::new("breaks")
                .role(HookRole::Observe)
                .on::<PostTurn>(|_| Err::<post_turn::Outcome, _>(Failure::Guest("oh".into()))),
            NativeHook::new("later")
                .role(HookRole::Observe)
                .execution(ExecutionPolicy::Background)
                .on::<MessageAdded>(|_| {
                    std::thread::sleep(Duration::from_millis(10));
                    Ok(message_added::Outcome::Continue)
                }),
            NativeHook::new("soon")
                .role(HookRole::Observe)
                .execution(ExecutionPolicy::FireAndRecord)
                .on::<MessageAdded>(|_| Ok(message_added::Outcome::Continue)),
        ])
    });
    let mut one = bench.session().await;
    one.turn("go").await.unwrap();
    let mut two = bench.session().await;
    // Another writer uses the same journal.
    let id = next_run_id();
    journal.begin(RunRow {
        id,
        hook: "embedder".into(),
        ..RunRow::default()
    });
    journal.end(id, RunEnd::of(RunState::Completed));
    two.turn("go").await.unwrap();
    let hooks = &bench.agent.context().hooks;
    assert_eq!(hooks.drain(Duration::from_secs(10)).await, 0);
    let runs = runs(&journal).await;
    assert!(runs.iter().all(|run| !run.end.state.is_open()), "{runs:#?}");
    assert_eq!(journal.problem(), None);
    for (hook, times, state) in [
        ("passes", 2, RunState::Completed),
        ("jail", 1, RunState::Completed),
        ("skipped", 1, RunState::Skipped),
        ("breaks", 2, RunState::Failed),
        ("embedder", 1, RunState::Completed),
        ("later", 6, RunState::Completed),
        ("soon", 6, RunState::Completed),
    ] {
        let of_hook = of(&runs, hook);
        assert_eq!(of_hook.len(), times, "{hook}");
        assert!(
            of_hook.iter().all(|run| run.end.state == state),
            "{of_hook:#?}"
        );
    }
    let refused = of(&runs, "jail")[0];
    assert_eq!(refused.end.outcome.as_deref(), Some("reject"));
    assert_eq!((refused.row.turn, refused.row.step), (1, 1));
    assert_eq!(refused.row.session, one.id());
    assert_eq!(
        of(&runs, "breaks")[0].end.cause.as_deref(),
        Some("guest-error")
    );
}

#[tokio::test]
async fn a_call_that_did_not_run_is_recorded_with_the_kind_of_reason() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let recorded = journal.clone().keeping_values(false);
    let child = Script::parse(&responses(&[r#"{"text": "found"}"#])).unwrap();
    let child = Agent::builder().providers(child.providers()).build();
    let script = responses(&[
        r#"{"tool_calls": [
            {"id": "runs", "name": "echo", "arguments": {"text": "x"}},
            {"id": "refused", "name": "echo", "arguments": {"text": "secret"}},
            {"id": "answered", "name": "echo", "arguments": {"text": "known"}},
            {"id": "denied", "name": "other", "arguments": {"text": "x"}},
            {"id": "unknown", "name": "nothing", "arguments": {}},
            {"id": "invalid", "name": "echo", "arguments": {}},
            {"id": "deep", "name": "helper", "arguments": {"task": "x"}}
        ]}"#,
        r#"{"text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder
            .config(AgentConfig {
                max_depth: 0,
                ..quick()
            })
            .policy(Arc::new(RulePolicy {
                deny: vec!["other".into()],
                ..RulePolicy::default()
            }))
            .subagent("helper", "Helps.", child.unwrap())
            .journal(recorded)
            .native([NativeHook::new("jail").on::<PreToolCall>(|call| {
                let arguments = &*call.views.tool_arguments;
                Ok(if arguments.contains("secret") {
                    pre_tool_call::Outcome::Reject(rejection("no", "the secret reason"))
                } else if arguments.contains("known") {
                    pre_tool_call::Outcome::Answer(pre_tool_call::ToolAnswer {
                        content: "the answer".into(),
                        is_error: false,
                    })
                } else {
                    pre_tool_call::Outcome::Continue
                })
            })])
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let id = session.id().to_owned();
    session.close().await;
    journal.flush_async().await.unwrap();
    let read = tokio::task::spawn_blocking(move || journal.events(&id));
    let events = read.await.unwrap().unwrap().into_iter();
    let events: Vec<JournalEvent> = events.map(|event| event.row.event).collect();
    let mut ends = Vec::new();
    for event in &events {
        if let JournalEvent::ToolFinished {
            call_id,
            ran,
            not_run,
            ..
        } = event
        {
            assert_eq!(*ran, not_run.is_none(), "{event:?}");
            ends.push((call_id.as_str(), *not_run));
        }
    }
    assert_eq!(
        ends,
        [
            ("runs", None),
            ("refused", Some(NotRun::HookRefused)),
            ("answered", Some(NotRun::HookAnswered)),
            ("denied", Some(NotRun::PolicyDenied)),
            ("unknown", Some(NotRun::NotOffered)),
            ("invalid", Some(NotRun::InvalidArguments)),
            ("deep", Some(NotRun::TooDeep)),
        ]
    );
    let json = serde_json::to_string(&events).unwrap();
    assert!(json.contains(r#""not-run":"policy-denied""#), "{json}");
    for content in ["the secret reason", "the answer"] {
        assert!(!json.contains(content), "{content}: {json}");
    }
}

/// A hook that hangs in the first turn.
struct Hangs;

impl Hook<PreTurn> for Hangs {
    fn call<'a>(&'a self, call: &Call<PreTurn>) -> Response<'a, PreTurn> {
        let turn = call.context.turn;
        Response::Future(
            async move {
                if turn == 1 {
                    std::future::pending::<()>().await;
                }
                Answer::of(pre_turn::Outcome::Continue)
            }
            .boxed(),
        )
    }
}

/// Returns a session of a loop that is not the agent's, whose runs are in the journal.
fn journaled(to: Arc<dyn HookObserver>, journal: &Journal, hook: NativeHook) -> (Hooks, Session) {
    let hooks = Hooks::none().with([hook]).unwrap();
    let session = hooks.session(SessionOptions {
        sink: Arc::new(JournalObserver::new(to, Some(Arc::new(journal.clone())))),
        ..SessionOptions::new("s")
    });
    (hooks, session)
}

fn turn() -> Call<PreTurn> {
    let context = Context {
        session_id: "s".into(),
        agent: "a".into(),
        turn: 1,
        step: 0,
    };
    Call::new(context, pre_turn::facts(&[]), Views::default())
}

#[tokio::test]
async fn the_run_of_a_dropped_call_ends_at_once() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let hangs = NativeHook::new("hangs").serve::<PreTurn>(Arc::new(Hangs));
    let (_, session) = journaled(Arc::new(TracingSink), &journal, hangs);
    assert!(session.run(&mut turn()).now_or_never().is_none());
    let runs = runs(&journal).await;
    let ends: Vec<_> = runs
        .iter()
        .map(|run| (run.end.state, run.end.message.as_deref()))
        .collect();
    assert_eq!(ends, [(RunState::Failed, Some("it was cancelled"))]);
    drop(session);
}

/// An observer that records the hooks whose detached runs have ended.
#[derive(Default)]
struct Ends(Trail);

impl HookObserver for Ends {
    fn log(&self, _: LogLine<'_>) {}
    fn event(&self, _: HookEvent) {}
    fn on_background_end(&self, _: &str, run: &HookRun) {
        self.0.add(run.hook.to_string());
    }
}

#[tokio::test]
async fn the_observer_behind_a_journal_is_told_of_detached_runs() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let ends = Arc::new(Ends::default());
    let later = NativeHook::new("later")
        .role(HookRole::Observe)
        .execution(ExecutionPolicy::Background)
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let (hooks, session) = journaled(ends.clone(), &journal, later);
    session.run(&mut turn()).await;
    assert_eq!(hooks.drain(Duration::from_secs(60)).await, 0);
    assert_eq!(ends.0.take(), ["later"]);
    assert_eq!(runs(&journal).await[0].end.state, RunState::Completed);
}

#[tokio::test]
async fn a_cancelled_run_ends_and_a_childs_runs_are_its_parents() {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let recorded = journal.clone();
    let child = Script::parse(&responses(&[r#"{"text": "found"}"#])).unwrap();
    let child = Agent::builder()
        .providers(child.providers())
        .config(AgentConfig {
            name: "helper".into(),
            ..quick()
        })
        .build()
        .unwrap();
    let script = responses(&[
        r#"{"tool_calls": [{"name": "helper", "arguments": {"task": "x"}}]}"#,
        r#"{"text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, trail| {
        let none = Does::tool("none", |_, _| async { unreachable!() });
        builder
            .tools(toolbox_with(trail, [none]))
            .journal(recorded)
            .subagent("helper", "Helps.", child)
            .native([
                NativeHook::new("hangs").serve::<PreTurn>(Arc::new(Hangs)),
                NativeHook::new("sees")
                    .on::<MessageAdded>(|_| Ok(message_added::Outcome::Continue)),
            ])
    });
    let mut session = bench.session().await;
    let dropped = tokio::time::timeout(Duration::from_millis(30), session.turn("go")).await;
    assert!(dropped.is_err());
    let parent = session.id().to_owned();
    // The sub-agent's first turn would also hang.
    let dropped = tokio::time::timeout(Duration::from_millis(100), session.turn("go")).await;
    assert!(dropped.is_err());
    session.close().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let runs = runs(&journal).await;
    let hung = of(&runs, "hangs");
    let states: Vec<_> = hung
        .iter()
        .map(|run| (run.end.state, run.row.session == parent))
        .collect();
    assert_eq!(
        states,
        [
            (RunState::Failed, true),
            (RunState::Completed, true),
            (RunState::Failed, false)
        ]
    );
    assert_eq!(hung[0].end.message.as_deref(), Some("it was cancelled"));
    assert!(!of(&runs, "sees").is_empty());
}
