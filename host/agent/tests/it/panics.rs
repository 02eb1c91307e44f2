//! Hooks that must not fail but do, at every point of the loop, and the state afterwards.

use portcullis::Session;
use portcullis::points::{
    MessageAdded, PostStep, PostSubagent, PreStep, StateChanged, TurnStopping, message_added,
    post_step, post_subagent, pre_step, state_changed, turn_stopping,
};
use portcullis::verdict::Failure;
use portcullis_agent::{Agent, AgentConfig, AgentEvent, NewSession, Script, ToolOutput, TurnError};

use crate::support::{
    Does, Trail, assert_whole, bench, hook, lines, quick, record_all, responses, toolbox_with,
};

#[tokio::test]
async fn a_hook_that_fails_closed_fails_the_turn_and_leaves_nothing() {
    type Prepare = fn(&mut Session);
    fn broken<T>() -> Result<T, Failure> {
        Err(Failure::Trap("unreachable".into()))
    }
    // In the second turn, so that there is earlier state.
    macro_rules! breaks {
        ($point:ident $module:ident) => {{
            let prepare: Prepare = |session| {
                hook::<$point, _>(session, "breaks", |call| match call.context.turn {
                    2 => broken(),
                    _ => Ok($module::Outcome::Continue),
                });
            };
            (stringify!($module), prepare)
        }};
    }
    for (point, prepare) in [
        breaks!(PreStep pre_step),
        breaks!(PostStep post_step),
        breaks!(MessageAdded message_added),
        breaks!(StateChanged state_changed),
        breaks!(TurnStopping turn_stopping),
    ] {
        let calls = r#"{"text": "Well.", "tool_calls": [{"name": "set"}]}"#;
        let done = r#"{"text": "done"}"#;
        let script = responses(&[calls, done, calls, done, calls, done, done, done]);
        let mut bench = bench(&script, |builder, trail| {
            let recorded = trail.clone();
            let set = Does::tool("set", |_, run| async move {
                let n = run.state.get("n").and_then(|n| n.as_u64()).unwrap_or(0);
                run.state.set("n", n + 1);
                Ok(ToolOutput::ok("set"))
            });
            builder
                .tools(toolbox_with(trail, [set]))
                .prepare(move |session| {
                    prepare(session);
                    record_all(session, &recorded);
                })
        });
        let mut session = bench.session().await;
        session.turn("one").await.unwrap();
        let before = lines(&session);
        let error = session.turn("two").await.unwrap_err();
        assert!(
            matches!(&error, TurnError::Hook(failed) if failed.hook.as_str() == "breaks"),
            "{point}: {error}"
        );
        assert_eq!(lines(&session), before, "{point}");
        assert_eq!(session.state()["n"], 1, "{point}");
        assert_eq!(bench.trail.count("turn-error"), 1, "{point}");
        assert_eq!(bench.trail.count("post-turn"), 1, "{point}");
        let events = bench.events_so_far();
        assert!(events.iter().any(|event| matches!(
            event,
            AgentEvent::TurnFailed {
                cancelled: false,
                ..
            }
        )));
        session.turn("three").await.unwrap();
        assert_whole(session.conversation());
    }
}

#[tokio::test]
async fn a_result_that_a_broken_hook_has_not_seen_is_withheld() {
    let child = Script::parse(&responses(&[r#"{"text": "the key is 1234"}"#])).unwrap();
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
        r#"{"expect_absent": "1234", "text": "done"}"#,
    ]);
    let bench = bench(&script, |builder, _| {
        builder
            .subagent("helper", "Helps.", child)
            .prepare(|session| {
                hook::<PostSubagent, _>(session, "breaks", |_| {
                    Err::<post_subagent::Outcome, _>(Failure::Trap("unreachable".into()))
                });
            })
    });
    let mut session = bench.session().await;
    session.turn("go").await.unwrap();
}

#[tokio::test]
async fn the_state_of_a_cancelled_turn_is_rolled_back() {
    let script = responses(&[
        r#"{"tool_calls": [{"name": "set"}, {"name": "echo", "arguments": {"text": "hang"}}]}"#,
        r#"{"text": "fresh"}"#,
    ]);
    let bench = bench(&script, |builder, trail: &Trail| {
        let set = Does::tool("set", |_, run| async move {
            run.state.set("key", "new");
            run.state.remove("old");
            Ok(ToolOutput::ok("set"))
        });
        builder.tools(toolbox_with(trail, [set]))
    });
    let state = serde_json::json!({ "old": 1 }).as_object().unwrap().clone();
    let new = NewSession {
        state: state.clone(),
        ..NewSession::default()
    };
    let cancel = new.cancel.child_token();
    let mut session = bench.agent.session(new).await.unwrap();
    let canceller = async {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn_until("go", cancel.clone()), canceller);
    assert!(matches!(ended, Err(TurnError::Cancelled)));
    assert_eq!(session.state(), state);
    assert!(lines(&session).is_empty());
    session.turn("again").await.unwrap();
}
