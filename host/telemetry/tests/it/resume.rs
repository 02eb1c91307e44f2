//! Turns that are suspended and resumed.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use portcullis::Hooks;
use portcullis::approval::ApprovalDecision;
use portcullis::approval::DeferAll;
use portcullis::contract::ToolSpec;
use portcullis_agent::{
    NewSession, Replay, Resolution, Tool, ToolError, ToolOutput, ToolRun, Toolbox, TurnEnd,
};
use portcullis_collector::{Collector, attributes};
use portcullis_store::{Store, StoreOptions};
use portcullis_telemetry::Telemetry;

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::agents::{Echo, WITHIN, agent, calls, probe, says, table};

/// Creates a new store.
async fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", dir.path().join("store.db").display());
    let store = Store::open(url.parse().unwrap(), StoreOptions::default()).await;
    (dir, store.unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_turn_is_in_the_trace_of_the_suspended_one() {
    let collector = Collector::start().await;
    let (_dir, store) = store().await;
    let new = || NewSession {
        checkpoints: Some(Arc::new(store.checkpoints())),
        approver: Arc::new(DeferAll),
        ..NewSession::default()
    };
    let hooks = || probe("pre-tool-call = \"ask May it?\"\nturn-resumed = \"continue\"");
    let telemetry = Telemetry::start(&table(&collector)).await.unwrap();
    let first = agent(&[calls(&[("echo", "c1")])], hooks())
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = first.session(new()).await.unwrap();
    let TurnEnd::Suspended(suspension) = session.turn("Do it.").await.unwrap() else {
        panic!("it is suspended");
    };
    session.close().await;
    telemetry.end(WITHIN).await;
    let suspended = collector.span("invoke_agent clerk");
    assert_eq!(
        attributes(&suspended.attributes)["portcullis.outcome"],
        "suspended"
    );
    let checkpoint = suspension.checkpoint.to_string();
    assert_eq!(
        attributes(&suspended.attributes)["portcullis.checkpoint"],
        checkpoint
    );
    // The turn is resumed in another process.
    let telemetry = Telemetry::start(&table(&collector)).await.unwrap();
    let second = agent(&[says("done")], hooks())
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let yes = Resolution::Decision(ApprovalDecision::Approve);
    let decided = BTreeMap::from([("c1".to_owned(), yes)]);
    let (session, ended) = second
        .resume(suspension.checkpoint, decided, new())
        .await
        .unwrap();
    ended.unwrap();
    session.close().await;
    telemetry.end(WITHIN).await;
    let mut turns = collector.spans();
    turns.retain(|span| span.name == "invoke_agent clerk");
    let resumed = turns
        .iter()
        .find(|span| span.span_id != suspended.span_id)
        .unwrap();
    assert_eq!(turns.len(), 2);
    assert_eq!(resumed.trace_id, suspended.trace_id);
    assert_eq!(resumed.parent_span_id, suspended.span_id);
    let of_resumed = attributes(&resumed.attributes);
    assert_eq!(of_resumed["portcullis.outcome"], "ok");
    assert_eq!(of_resumed["portcullis.checkpoint"], checkpoint);
    let expected = "\
invoke_agent clerk
  step 1
    chat model-1
    execute_tool echo
      run_hook probe at pre-tool-call
  invoke_agent clerk
    run_hook probe at turn-resumed
    step 1
      execute_tool echo
    step 2
      chat model-1";
    let tree = collector.tree_at(&["pre-tool-call", "turn-resumed"]);
    assert!(tree.contains(expected), "{tree}");
}

/// A tool that begins and never ends.
struct Hangs(Arc<Semaphore>);

#[async_trait]
impl Tool for Hangs {
    fn spec(&self) -> ToolSpec {
        Echo("echo").spec()
    }

    async fn execute(&self, _: Value, _: ToolRun) -> Result<ToolOutput, ToolError> {
        self.0.add_permits(1);
        std::future::pending().await
    }
}

fn tools(tool: Arc<dyn Tool>) -> Arc<Toolbox> {
    let mut tools = Toolbox::new();
    tools.add(tool).unwrap();
    tools.set_replay("echo", Replay::Safe);
    Arc::new(tools)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_another_process_continues_is_one_span() {
    let collector = Collector::start().await;
    let (_dir, store) = store().await;
    let new = || NewSession {
        id: "s".into(),
        sessions: Some(Arc::new(store.sessions())),
        turns: Some(Arc::new(store.turns())),
        ..NewSession::default()
    };
    let telemetry = Telemetry::start(&table(&collector)).await.unwrap();
    let begun = Arc::new(Semaphore::new(0));
    let first = agent(&[calls(&[("echo", "c1")])], Hooks::default())
        .tools(tools(Arc::new(Hangs(begun.clone()))))
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let opened = new();
    let park = opened.park.clone();
    let mut session = first.session(opened).await.unwrap();
    let parking = async {
        begun.acquire().await.unwrap().forget();
        park.cancel();
    };
    let (ended, ()) = tokio::join!(session.turn("Do it."), parking);
    ended.unwrap_err();
    session.close().await;
    telemetry.end(WITHIN).await;
    // The turn has not ended.
    assert!(
        !collector.tree().contains("invoke_agent"),
        "{}",
        collector.tree()
    );
    let chat = collector.span("chat model-1");
    // The turn is continued in another process.
    let telemetry = Telemetry::start(&table(&collector)).await.unwrap();
    let second = agent(&[says("done")], Hooks::default())
        .tools(tools(Arc::new(Echo("echo"))))
        .tracer(telemetry.tracer())
        .build()
        .unwrap();
    let mut session = second.session(new()).await.unwrap();
    let ended = session.finish_turn(CancellationToken::new()).await;
    ended.unwrap().unwrap();
    session.close().await;
    telemetry.end(WITHIN).await;
    let turn = collector.span("invoke_agent clerk");
    assert_eq!(turn.trace_id, chat.trace_id);
    assert_eq!(attributes(&turn.attributes)["portcullis.continued"], "true");
    assert!(turn.start_time_unix_nano <= chat.start_time_unix_nano);
    let expected = "\
invoke_agent clerk
  step 1
    chat model-1
    execute_tool echo
  step 2
    chat model-1";
    assert!(collector.tree().contains(expected), "{}", collector.tree());
}
