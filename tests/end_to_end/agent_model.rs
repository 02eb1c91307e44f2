//! Hooks that ask the model of a real agent loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use portcullis::NativeHook;
use portcullis::points::{PreLlmCall, pre_llm_call};
use portcullis_agent::{
    Agent, AgentConfig, AgentEvent, NewSession, RunState, Script, TurnOrigin, TurnReport,
    steps_guard_by, tokens_guard,
};
use portcullis_store::{JournalRun, RunFilter, Store};
use portcullis_tests::HooksDir;

const SCRIPT: &str = r#"{"providers": [
    {"name": "main", "model": "large", "responses": [
        {"text": "hello", "usage": {"input_tokens": 10, "output_tokens": 5}}
    ]},
    {"name": "cheap", "model": "small", "responses": [
        {"text": "yes", "usage": {"input_tokens": 70, "output_tokens": 3}}
    ]}
]}"#;

struct Played {
    report: TurnReport,
    /// The number of `pre-llm-call` hook calls.
    seen: usize,
    runs: Vec<JournalRun>,
    events: Vec<AgentEvent>,
}

async fn play(grant: &str, guard: NativeHook, says: &str) -> Played {
    let settings = format!(
        "[hooks.asker.grants]\nsecrets = [\"KEY\"]\nmodel = {grant}\n[secrets]\nKEY = {{ file = \"key\" }}\n"
    );
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let counter = NativeHook::new("counter").on::<PreLlmCall>(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(pre_llm_call::Outcome::Continue)
    });
    let hooks = HooksDir::new()
        .with("asker")
        .with_file("key", b"s3cr3t")
        .settings(&settings)
        .load_beside([counter, guard]);
    let journal = Store::temporary()
        .expect("a store")
        .journal()
        .expect("a journal");
    let agent = Agent::builder()
        .providers(Script::parse(SCRIPT).expect("a script").providers())
        .hooks(hooks)
        .journal(journal.clone())
        .config(AgentConfig::default())
        .build()
        .expect("an agent");
    let mut heard = agent.context().events.subscribe();
    let mut session = agent
        .session(NewSession::default())
        .await
        .expect("a session");
    let ended = session.turn(says).await.expect("a turn");
    let report = ended.done().expect("no suspension");
    session.close().await;
    journal.flush_async().await.expect("a flush");
    let runs = tokio::task::spawn_blocking(move || journal.runs(&RunFilter::default()));
    let mut events = Vec::new();
    while let Some(emitted) = heard.try_next() {
        events.push(emitted.event.clone());
    }
    Played {
        report,
        seen: seen.load(Ordering::Relaxed),
        runs: runs.await.expect("a thread").expect("the runs"),
        events,
    }
}

const CHEAP: &str = "{ tokens = 1000, provider = \"cheap\" }";

#[tokio::test]
async fn a_hooks_call_runs_no_hooks_counts_in_the_turn_and_is_in_the_journal() {
    let played = play(CHEAP, tokens_guard(1_000), "pass is it safe?").await;
    assert_eq!(played.report.text(), "hello");
    assert_eq!(played.report.usage.input_tokens, 80);
    assert_eq!(played.report.usage.output_tokens, 8);
    assert_eq!(played.seen, 1);
    let rows: Vec<&JournalRun> = played
        .runs
        .iter()
        .filter(|run| run.row.point == "model")
        .collect();
    let [row] = rows[..] else {
        panic!("{rows:#?}");
    };
    assert_eq!((row.row.hook.as_str(), row.row.turn), ("asker", 1));
    assert_eq!(row.end.state, RunState::Completed);
    assert_eq!(
        row.end.message.as_deref(),
        Some("cheap/small: 70 + 3 tokens, end-turn")
    );
    let told = played.events.iter().any(|event| {
        matches!(event, AgentEvent::HookModelCall { hook, model, usage: Some(usage), .. }
            if hook == "asker" && model == "small" && usage.input_tokens == 70)
    });
    assert!(told, "{:?}", played.events);
}

#[tokio::test]
async fn a_guard_of_tokens_counts_the_calls_of_hooks() {
    let played = play(CHEAP, tokens_guard(50), "pass is it safe?").await;
    let TurnOrigin::Stopped { by, .. } = &played.report.origin else {
        panic!("{:?}", played.report.origin);
    };
    assert_eq!(by, "guard-tokens");
    assert_eq!(played.seen, 0);
}

#[tokio::test]
async fn a_guard_of_steps_may_count_what_it_likes() {
    // The guard counts the messages.
    let guard = steps_guard_by(1, |call| u64::from(call.subject.messages));
    let played = play(CHEAP, guard, "hello").await;
    let TurnOrigin::Stopped { by, .. } = &played.report.origin else {
        panic!("{:?}", played.report.origin);
    };
    assert_eq!(by, "guard-steps");
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_an_error_to_the_hook() {
    let settings = "[hooks.asker.grants]\nsecrets = [\"KEY\"]\nmodel = { tokens = 100, provider = \"none\" }\n[secrets]\nKEY = { file = \"key\" }\n";
    let hooks = HooksDir::new()
        .with("asker")
        .with_file("key", b"s3cr3t")
        .settings(settings)
        .load();
    let agent = Agent::builder()
        .providers(Script::parse(SCRIPT).expect("a script").providers())
        .hooks(hooks)
        .build()
        .expect("an agent");
    let mut session = agent
        .session(NewSession::default())
        .await
        .expect("a session");
    let error = session
        .turn("ask x")
        .await
        .expect_err("a refusal")
        .to_string();
    assert!(error.contains("no provider called `none`"), "{error}");
    session.close().await;
}

#[tokio::test]
async fn a_sub_agent_spends_its_parents_budget() {
    const PARENT: &str = r#"{"providers": [
        {"name": "main", "model": "large", "responses": [
            {"tool_calls": [{"id": "c1", "name": "helper", "arguments": {"task": "left"}}]},
            {"text": "done"}
        ]},
        {"name": "cheap", "model": "small", "responses": [
            {"text": "yes", "usage": {"input_tokens": 70, "output_tokens": 3}}
        ]}
    ]}"#;
    let settings = "[hooks.asker.grants]\nsecrets = [\"KEY\"]\nmodel = { tokens = 100, provider = \"cheap\" }\n[secrets]\nKEY = { file = \"key\" }\n";
    let hooks = HooksDir::new()
        .with("asker")
        .with_file("key", b"s3cr3t")
        .settings(settings)
        .load();
    let child = Agent::builder()
        .providers(Script::parse(SCRIPT).expect("a script").providers())
        .build()
        .expect("an agent");
    let agent = Agent::builder()
        .providers(Script::parse(PARENT).expect("a script").providers())
        .hooks(hooks)
        .subagent("helper", "Helps.", child)
        .build()
        .expect("an agent");
    let mut session = agent
        .session(NewSession::default())
        .await
        .expect("a session");
    session.turn("pass is it safe?").await.expect("a turn");
    let said = format!("{:?}", session.conversation());
    // Of 100 tokens the parent's turn used 73.
    assert!(said.contains("27 (left)"), "{said}");
    session.close().await;
}
