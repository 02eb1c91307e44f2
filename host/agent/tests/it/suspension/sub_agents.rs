//! Suspended turns of sub-agents.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, AgentEvent, CheckpointError, CheckpointStore, EventSender,
    NewSession, ResumeError, Script, SuspendReason, ToolStrategy, TurnError, discard_suspended,
};
use portcullis_store::Store;

use crate::support::{Bench, Trail, bench, lines, quick, record_all, responses, toolbox};

use super::support::*;

/// Returns a parent whose sub-agent `helper` has a hook that asks about `rm`.
fn family(parent: &str, child: &str) -> (Bench, Trail) {
    let of_child = Trail::default();
    let trail = of_child.clone();
    let script = Script::parse(child).unwrap();
    let events = EventSender::new();
    let bench = bench(parent, |builder: AgentBuilder, parents| {
        let parents = parents.clone();
        let child = Agent::builder()
            .providers(script.providers())
            .tools(toolbox(&trail))
            .events(events)
            .config(AgentConfig {
                name: "helper".into(),
                ..quick()
            })
            .prepare(|session| asks(session, "ask", "rm"))
            .build()
            .unwrap();
        builder
            .subagent("helper", "Helps.", child)
            .config(AgentConfig {
                tool_strategy: ToolStrategy::Parallel,
                ..quick()
            })
            .prepare(move |session| record_all(session, &parents))
    });
    (bench, of_child)
}

#[tokio::test]
async fn a_sub_agent_is_resumed_through_its_parent() {
    let file = File::new();
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (first, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let store = file.open();
    let mut session = first.agent.session(new(&store)).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    assert_eq!(suspension.reason, SuspendReason::Children);
    assert_eq!(suspension.pending[0].call_id, "p/c1");
    session.close().await;
    let of_child = store.list(None).await.unwrap().remove(0);
    assert_eq!(of_child.agent, "helper");

    let (second, echoed) = family(
        &responses(&[r#"{"expect": "cleaned", "text": "done"}"#]),
        &responses(&[r#"{"expect": "echo rm", "text": "cleaned"}"#]),
    );
    let helper = self::bench(r#"{"responses": []}"#, |builder, _| {
        builder.config(AgentConfig {
            name: "helper".into(),
            ..quick()
        })
    });
    let alone = helper
        .agent
        .resume(of_child.id, BTreeMap::new(), new(&store))
        .await;
    assert!(
        matches!(alone, Err(ResumeError::OfSubagent { .. })),
        "{alone:?}"
    );

    let yes = decision("p/c1", ApprovalDecision::Approve);
    let (session, ended) = second
        .agent
        .resume(suspension.checkpoint, yes, new(&store))
        .await
        .unwrap();
    let report = ended.unwrap().done().unwrap();
    assert_eq!(report.text(), "done");
    assert_eq!(echoed.count("echo runs: rm"), 1);
    assert_eq!(lines(&session)[2], "tool: cleaned");
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed(None).await.unwrap().is_empty());
    let mut trail = first.trail.take();
    session.close().await;
    trail.extend(second.trail.take());
    let count = |what: &str| trail.iter().filter(|w| *w == what).count();
    for (point, times) in [
        ("session-start", 2),
        ("session-end", 2),
        ("pre-turn", 2),
        ("post-turn", 2),
        ("turn-suspended", 2),
        ("turn-resumed", 2),
        ("pre-subagent", 1),
        ("post-subagent", 1),
    ] {
        assert_eq!(count(point), times, "{point} in {trail:?}");
    }
}

#[tokio::test]
async fn children_of_a_turn_that_is_over_are_discarded() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (mut bench, _) = family(
        &responses(&[&calls(&[asks_helper.into(), call("h", "echo", "hang")])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let session = new(&store);
    let cancel = session.cancel.clone();
    let mut session = bench.agent.session(session).await.unwrap();
    let canceller = async {
        while store.list(None).await.unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
        cancel.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn("go"), canceller);
    assert!(matches!(ended, Err(TurnError::Cancelled)), "{ended:?}");
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed(None).await.unwrap().is_empty());
    let events = bench.events_so_far();
    assert!(
        events
            .iter()
            .any(|event| matches!(event, AgentEvent::TurnSuspended { .. }))
    );
}

#[tokio::test]
async fn a_suspended_turn_is_discarded_with_its_sub_agents() {
    let store = Arc::new(Store::temporary().unwrap().checkpoints());
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (bench, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let mut session = bench.agent.session(new(&store)).await.unwrap();
    let suspension = session.turn("go").await.unwrap().done().unwrap_err();
    let waiting = store.list(None).await.unwrap();
    let of_subagents: Vec<bool> = waiting.iter().map(|info| info.of_subagent).collect();
    assert_eq!(of_subagents, [true, false]);
    // Even if a process that died has claimed it.
    store.claim(&suspension.checkpoint).await.unwrap();
    discard_suspended(&*store, &suspension.checkpoint)
        .await
        .unwrap();
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed(None).await.unwrap().is_empty());
    let again = discard_suspended(&*store, &suspension.checkpoint).await;
    assert!(matches!(again, Err(CheckpointError::Unknown(_))));
}

#[tokio::test]
async fn a_child_is_resumed_again_with_its_parent() {
    let file = File::new();
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (first, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let store = file.open();
    let mut session = first.agent.session(new(&store)).await.unwrap();
    let suspension = suspended(session.turn("go").await);
    // A process resumes both, and dies.
    for info in store.list(None).await.unwrap() {
        store.claim(&info.id).await.unwrap();
    }
    store.release(&suspension.checkpoint).await.unwrap();
    let (second, _) = family(
        &responses(&[r#"{"expect": "cleaned", "text": "done"}"#]),
        &responses(&[r#"{"expect": "echo rm", "text": "cleaned"}"#]),
    );
    let yes = decision("p/c1", ApprovalDecision::Approve);
    let resumed = second.agent.resume(suspension.checkpoint, yes, new(&store));
    assert_eq!(
        resumed.await.unwrap().1.unwrap().done().unwrap().text(),
        "done"
    );
    assert!(store.list(None).await.unwrap().is_empty());
    assert!(store.claimed(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn suspended_sub_agents_are_deleted_with_the_session() {
    let store = Store::temporary().unwrap();
    let asks_helper = r#"{"id": "p", "name": "helper", "arguments": {"task": "clean up"}}"#;
    let (bench, _) = family(
        &responses(&[&calls(&[asks_helper.into()])]),
        &responses(&[&calls(&[call("c1", "echo", "rm")])]),
    );
    let session = NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        ..new(&Arc::new(store.checkpoints()))
    };
    let mut session = bench.agent.session(session).await.unwrap();
    suspended(session.turn("go").await);
    session.close().await;
    let deleted = store.sessions().delete("s", true).await.unwrap();
    assert_eq!(deleted.checkpoints, 2);
    assert!(store.checkpoints().list(None).await.unwrap().is_empty());
}
