//! Additional hooks of one turn.

use std::sync::Arc;

use portcullis::approval::DeferAll;
use portcullis::contract::AskRequest;
use portcullis::points::{PostTurn, PreToolCall, PreTurn, post_turn, pre_tool_call, pre_turn};
use portcullis::{Hooks, NativeHook};
use portcullis_agent::{Agent, NewSession, Script, TurnError};
use portcullis_store::Store;

use crate::support::{Trail, bench, calls_echo, lines, quick, rejection, responses, toolbox};

/// Returns a hook that records its runs.
fn records(id: &'static str, trail: &Trail) -> NativeHook {
    let (first, last) = (trail.clone(), trail.clone());
    NativeHook::new(id)
        .on::<PreTurn>(move |call| {
            first.add(format!("{id} {}", call.context.turn));
            Ok(pre_turn::Outcome::Continue)
        })
        .on::<PostTurn>(move |call| {
            last.add(format!("{id} {} ends", call.context.turn));
            Ok(post_turn::Outcome::Continue)
        })
}

fn of_turn(hook: NativeHook) -> Hooks {
    Hooks::none().with([hook]).unwrap()
}

#[tokio::test]
async fn they_run_first_and_for_that_turn_alone() {
    let answers = [r#"{"text": "a"}"#; 3];
    let bench = bench(&responses(&answers), |builder, trail| {
        builder.native([records("own", trail).priority(-1_000)])
    });
    let mut session = bench.session().await;
    let front = of_turn(records("given", &bench.trail).priority(1_000));
    session.turn("one").await.unwrap();
    session.turn_with("two", &front).await.unwrap();
    session.turn("three").await.unwrap();
    assert_eq!(
        bench.trail.take(),
        [
            "own 1",
            "own 1 ends",
            "given 2",
            "own 2",
            "given 2 ends",
            "own 2 ends",
            "own 3",
            "own 3 ends"
        ]
    );
}

#[tokio::test]
async fn a_turn_that_is_dropped_leaves_none_of_them() {
    let hang = calls_echo("hang");
    let bench = bench(&responses(&[&hang, r#"{"text": "a"}"#]), |builder, _| {
        builder
    });
    let mut session = bench.session().await;
    let front = of_turn(records("given", &bench.trail));
    {
        let turn = session.turn_with("one", &front);
        tokio::pin!(turn);
        // Until the tool hangs.
        while bench.trail.count("echo runs: hang") == 0 {
            let _ = futures::poll!(&mut turn);
            tokio::task::yield_now().await;
        }
    }
    session.turn("two").await.unwrap();
    assert_eq!(bench.trail.count("given 2"), 0);
    assert_eq!(bench.trail.count("given 1"), 1);
}

#[tokio::test]
async fn they_guard_the_sub_agents_of_the_turn() {
    let script = Script::parse(
        r#"{"responses": [
            {"tool_calls": [{"name": "helper", "arguments": {"task": "help"}}]},
            {"tool_calls": [{"name": "echo", "arguments": {"text": "x"}}]},
            {"text": "helped"},
            {"text": "done"}
        ]}"#,
    )
    .unwrap();
    let trail = Trail::default();
    let agent = || {
        Agent::builder()
            .providers(script.providers())
            .tools(toolbox(&trail))
            .config(quick())
    };
    let helper = agent().build().unwrap();
    let agent = agent()
        .subagent("helper", "Helps.", helper)
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    let jail = NativeHook::new("jail").on::<PreToolCall>(|call| {
        Ok(match call.subject.name.as_str() {
            "echo" => pre_tool_call::Outcome::Reject(rejection("no", "not in this turn")),
            _ => pre_tool_call::Outcome::Continue,
        })
    });
    session.turn_with("go", &of_turn(jail)).await.unwrap();
    assert_eq!(trail.count("echo runs: x"), 0);
    assert!(lines(&session).iter().any(|line| line.contains("helped")));
}

#[tokio::test]
async fn a_turn_with_hooks_of_its_own_is_not_suspended() {
    let script = responses(&[&calls_echo("x"), r#"{"text": "done"}"#]);
    let bench = bench(&script, |builder, _| builder);
    let store = Store::temporary().unwrap().checkpoints();
    let mut session = bench
        .agent
        .session(NewSession {
            approver: Arc::new(DeferAll),
            checkpoints: Some(Arc::new(store)),
            ..NewSession::default()
        })
        .await
        .unwrap();
    let asks = NativeHook::new("asks").on::<PreToolCall>(|_| {
        Ok(pre_tool_call::Outcome::Ask(AskRequest {
            question: "May it?".into(),
            details: None,
        }))
    });
    let ended = session.turn_with("go", &of_turn(asks)).await;
    assert!(!matches!(ended, Err(TurnError::Suspended)));
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    assert_eq!(bench.trail.count("echo runs: x"), 0);
}
