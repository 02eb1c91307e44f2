//! Turns that are suspended and resumed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis::approval::DeferAll;
use portcullis_agent::{NewSession, Resolution, TurnEnd};
use portcullis_collector::{Collector, attributes};
use portcullis_store::{Store, StoreOptions};
use portcullis_telemetry::Telemetry;

use crate::agents::{agent, calls, probe, says, table};

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_turn_is_in_the_trace_of_the_suspended_one() {
    let collector = Collector::start().await;
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", dir.path().join("store.db").display());
    let store = Store::open(url.parse().unwrap(), StoreOptions::default())
        .await
        .unwrap();
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
    telemetry.end(Duration::from_secs(10)).await;
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
    // Another process.
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
    telemetry.end(Duration::from_secs(10)).await;
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
