//! The trace of a caller, with the turn as a part of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use portcullis::trace::TraceContext;
use portcullis_agent::{NewSession, Resolution, ToolRun};
use portcullis_parity::{Dies, Mortality};
use portcullis_restate::{Client, Outcome, ResumeRequest, TurnRequest, register};
use portcullis_restate_server::{ADMIN, INGRESS};

use crate::balancer::Balancer;
use crate::planned::{BROWSER, WORK, agent};
use crate::worker::Thread;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_on_a_worker_is_in_its_callers_trace_also_after_a_resume() {
    if !portcullis_restate_server::shared() {
        return;
    }
    // The traces that the tool ran in.
    let traces: Arc<Mutex<Vec<_>>> = Arc::default();
    let kept = traces.clone();
    let work = move |run: ToolRun| kept.lock().push(run.trace);
    let agent = agent("traced", |_| &[WORK, BROWSER, WORK], work);
    let dir = tempfile::tempdir().unwrap();
    let lives = Mortality::new(Dies::Never);
    let worker = Thread::start(dir.path(), agent, NewSession::default(), lives).await;
    let balancer = Balancer::start().await;
    balancer.set(&[worker.address]);
    register(&ADMIN.parse().unwrap(), &balancer.url())
        .await
        .unwrap();
    let client = Client::new(INGRESS.parse().unwrap(), "traced");
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let parent = TraceContext::from_headers(parent, None, Some("team=a")).unwrap();
    let session = NewSession::default().id;
    let turn = TurnRequest {
        id: NewSession::default().id,
        text: "go".into(),
        trace: Some(parent.clone()),
    };
    let suspended = client.turn(&session, &turn, |_: &str| {}).await.unwrap();
    let Outcome::Suspended { checkpoint, .. } = suspended else {
        panic!("{suspended:?}");
    };
    let resume = ResumeRequest {
        id: NewSession::default().id,
        checkpoint,
        resolutions: BTreeMap::from([("c1".to_owned(), Resolution::result("seen"))]),
    };
    let done = client
        .resume(&session, &resume, |_: &str| {})
        .await
        .unwrap();
    assert!(matches!(done, Outcome::Done { .. }), "{done:?}");
    assert_eq!(*traces.lock(), [Some(parent.clone()), Some(parent)]);
    worker.stop().await;
}
