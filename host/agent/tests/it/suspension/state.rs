//! State, steering and time of a suspended turn.

use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_agent::NewSession;

use crate::support::{Bench, bench, hook, lines, responses};

use super::support::*;

type Steers = Arc<std::sync::OnceLock<portcullis_agent::Steering>>;

/// Returns an agent whose user sends a message while a hook asks.
fn steered_while_asked(script: &str) -> (Bench, Steers) {
    let steers = Steers::default();
    let says = steers.clone();
    let bench = bench(script, |builder, _| {
        builder.prepare(move |session| {
            let says = says.clone();
            hook::<PreToolCall, _>(session, "a-says", move |_| {
                if let Some(steering) = says.get() {
                    steering.say("hurry");
                }
                Ok(pre_tool_call::Outcome::Continue)
            });
            asks(session, "ask", "rm");
        })
    });
    (bench, steers)
}

#[tokio::test]
async fn state_steering_and_time_survive() {
    let file = File::new();
    let script = responses(&[
        &calls(&[call("c1", "count", "a")]),
        &calls(&[call("c2", "count", "rm")]),
    ]);
    let first = counting(&script);
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    let steering = session.steering();
    let suspension = {
        let turn = session.turn("go");
        let suspension = suspended(turn.await);
        steering.say("said to the session that was left");
        suspension
    };
    assert_eq!(session.state()["n"], 1);
    tokio::time::sleep(Duration::from_millis(30)).await;
    let second = counting(&responses(&[r#"{"text": "done"}"#]));
    let yes = decision("c2", ApprovalDecision::Approve);
    let again = NewSession {
        steering,
        ..new(&file.open())
    };
    let (session, ended) = second
        .agent
        .resume(suspension.checkpoint, yes, again)
        .await
        .unwrap();
    let report = ended.unwrap().done().unwrap();
    assert_eq!((report.steps, session.state()["n"].as_u64()), (3, Some(2)));
    assert!(report.elapsed < Duration::from_secs(5));
    assert_eq!(
        lines(&session)[4..],
        [
            "tool: 2",
            "user: said to the session that was left",
            "assistant: done"
        ]
    );
}

#[tokio::test]
async fn unread_steering_is_read_when_the_turn_is_resumed() {
    let file = File::new();
    let (first, steers) = steered_while_asked(&responses(&[&calls(&[call("c1", "echo", "rm")])]));
    let mut session = first.agent.session(new(&file.open())).await.unwrap();
    steers.set(session.steering()).unwrap();
    let suspension = suspended(session.turn("go").await);
    assert!(!session.steering().is_waiting(), "it is in the checkpoint");
    let (second, _) = steered_while_asked(&responses(&[r#"{"expect": "hurry", "text": "done"}"#]));
    let yes = decision("c1", ApprovalDecision::Approve);
    let resumed = second
        .agent
        .resume(suspension.checkpoint, yes, new(&file.open()));
    let (session, ended) = resumed.await.unwrap();
    assert_eq!(ended.unwrap().done().unwrap().text(), "done");
    let said = lines(&session)
        .into_iter()
        .filter(|line| line == "user: hurry");
    assert_eq!(said.count(), 1);
}
