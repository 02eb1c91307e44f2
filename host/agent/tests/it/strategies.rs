//! The strategies for the tool calls of one response.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use portcullis::points::{PreToolCall, StateChanged, pre_tool_call, state_changed};
use portcullis_agent::{AgentConfig, RulePolicy, ToolError, ToolOutput, ToolStrategy, TurnError};
use tokio::sync::Barrier;
use tokio_util::sync::CancellationToken;

use crate::support::{
    Bench, Does, Trail, assert_whole, bench, hook, lines, quick, responses, toolbox_with,
};

fn with(strategy: ToolStrategy) -> AgentConfig {
    AgentConfig {
        tool_strategy: strategy,
        ..quick()
    }
}

fn batched(size: usize) -> ToolStrategy {
    ToolStrategy::Batched(NonZeroUsize::new(size).unwrap())
}

/// Returns an agent with four calls of `meet`, of which this many wait for each other.
fn meeting(strategy: ToolStrategy, together: usize) -> Bench {
    let calls: Vec<String> = (1..=4)
        .map(|n| format!(r#"{{"id": "c{n}", "name": "meet", "arguments": {{"n": {n}}}}}"#))
        .collect();
    let calls = format!(r#"{{"tool_calls": [{}]}}"#, calls.join(","));
    bench(
        &responses(&[&calls, r#"{"text": "done"}"#]),
        |builder, trail| {
            let barrier = Arc::new(Barrier::new(together));
            let (asked, ran) = (trail.clone(), trail.clone());
            let meet = Does::tool("meet", move |arguments, _| {
                let (barrier, ran) = (barrier.clone(), ran.clone());
                async move {
                    ran.add("runs");
                    let n = arguments["n"].as_u64().unwrap_or_default();
                    barrier.wait().await;
                    // The later calls end first.
                    tokio::time::sleep(Duration::from_millis(20 * (5 - n))).await;
                    Ok(ToolOutput::ok(format!("{n}")))
                }
            });
            builder
                .tools(toolbox_with(trail, [meet]))
                .config(with(strategy))
                .prepare(move |session| {
                    let asked = asked.clone();
                    hook::<PreToolCall, _>(session, "asked", move |call| {
                        asked.add(call.subject.call_id.clone());
                        Ok(pre_tool_call::Outcome::Continue)
                    });
                })
        },
    )
}

#[tokio::test]
async fn calls_of_a_batch_run_in_parallel_and_are_committed_in_order() {
    for (strategy, together, expected) in [
        (
            ToolStrategy::Sequential,
            1,
            "c1 runs c2 runs c3 runs c4 runs",
        ),
        (batched(2), 2, "c1 c2 runs runs c3 c4 runs runs"),
        (batched(9), 4, "c1 c2 c3 c4 runs runs runs runs"),
        (ToolStrategy::Parallel, 4, "c1 c2 c3 c4 runs runs runs runs"),
    ] {
        let bench = meeting(strategy, together);
        let mut session = bench.session().await;
        let turn = tokio::time::timeout(Duration::from_secs(10), session.turn("go"));
        turn.await.expect("they meet").unwrap();
        assert_eq!(bench.trail.take().join(" "), expected, "{strategy:?}");
        assert_eq!(
            lines(&session)[2..6],
            ["tool: 1", "tool: 2", "tool: 3", "tool: 4"]
        );
        assert_whole(session.conversation());
    }
}

#[tokio::test]
async fn a_broken_tool_does_not_affect_the_others() {
    let calls = r#"{"tool_calls": [
        {"name": "echo", "arguments": {"text": "panic"}},
        {"name": "echo", "arguments": {"text": "hang"}},
        {"name": "echo", "arguments": {"text": "fine"}}
    ]}"#;
    let bench = bench(&responses(&[calls, r#"{"text": "done"}"#]), |builder, _| {
        builder
            .policy(Arc::new(RulePolicy {
                timeout_ms: 50,
                ..RulePolicy::default()
            }))
            .config(with(ToolStrategy::Parallel))
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
    let lines = lines(&session);
    assert!(lines[2].contains("broken"), "{}", lines[2]);
    assert!(lines[3].contains("time limit of 50 ms"), "{}", lines[3]);
    assert_eq!(lines[4], "tool: echo fine");
}

#[tokio::test]
async fn state_changes_of_parallel_tools_are_applied_in_order() {
    let calls = r#"{"tool_calls": [
        {"name": "set", "arguments": {"to": 1, "late": true}},
        {"name": "set", "arguments": {"to": 2}},
        {"name": "set", "arguments": {"to": 3, "fail": true}}
    ]}"#;
    let recorded = Trail::default();
    let record = recorded.clone();
    let bench = bench(
        &responses(&[calls, r#"{"text": "done"}"#]),
        |builder, trail| {
            let set = Does::tool("set", |arguments, run| async move {
                assert_eq!(
                    run.state.get("key"),
                    Some(0.into()),
                    "they do not see each other"
                );
                run.state.set("key", arguments["to"].clone());
                if arguments["late"] == true {
                    tokio::time::sleep(Duration::from_millis(30)).await;
                }
                if arguments["fail"] == true {
                    Err(ToolError::Failed("half done".into()))
                } else {
                    Ok(ToolOutput::ok("set"))
                }
            });
            builder
                .tools(toolbox_with(trail, [set]))
                .config(with(ToolStrategy::Parallel))
                .prepare(move |session| {
                    let record = record.clone();
                    hook::<StateChanged, _>(session, "record", move |call| {
                        record.add(call.views.state.diff["key"].to_string());
                        Ok(state_changed::Outcome::Continue)
                    });
                })
        },
    );
    let state = serde_json::json!({ "key": 0 }).as_object().unwrap().clone();
    let new = portcullis_agent::NewSession {
        state,
        ..Default::default()
    };
    let mut session = bench.agent.session(new).await.unwrap();
    session.turn("go").await.unwrap();
    assert_eq!(recorded.take(), ["[0,1]", "[1,2]"]);
    assert_eq!(
        session.state()["key"],
        2,
        "what failed half way is not taken over"
    );
}

#[tokio::test]
async fn a_cancelled_turn_stops_all_of_them() {
    let calls = r#"{"tool_calls": [
        {"name": "watch"}, {"name": "watch"}, {"name": "echo", "arguments": {"text": "fine"}}
    ]}"#;
    let bench = bench(
        &responses(&[calls, r#"{"text": "fresh"}"#]),
        |builder, trail| {
            let stopped = trail.clone();
            let watch = Does::tool("watch", move |_, run| {
                let stopped = stopped.clone();
                async move {
                    tokio::spawn(async move {
                        run.cancel.cancelled().await;
                        stopped.add("stopped");
                    });
                    std::future::pending().await
                }
            });
            builder
                .tools(toolbox_with(trail, [watch]))
                .config(with(ToolStrategy::Parallel))
        },
    );
    let mut session = bench.session().await;
    let cancel = CancellationToken::new();
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn_until("go", cancel.clone()), canceller);
    assert!(matches!(ended, Err(TurnError::Cancelled)));
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(bench.trail.count("stopped"), 2);
    session.turn("again").await.unwrap();
    assert_eq!(lines(&session), ["user: again", "assistant: fresh"]);
}
