//! A server that is killed, and a request that is sent again.

use std::collections::BTreeMap;

use portcullis_agent::{NewSession, Replay, Resolution};
use portcullis_parity::{Dies, Runtime as _, Story, World};
use portcullis_restate::{Client, Outcome, ResumeRequest};
use portcullis_restate_server::INGRESS;

use crate::runtime::Restate;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_suspended_turn_outlives_the_server_and_is_resumed_by_one_request() {
    let Some(mut server) = portcullis_restate_server::own() else {
        return;
    };
    let restate = Restate::new().await;
    let world = World::new(Story::Asks, Replay::Keyed);
    let mut first = world.start(&restate, Dies::Never).await;
    let checkpoint = first.process.turn("go").await.suspended();
    first.process.stop().await;
    server.restart();
    let second = world.start(&restate, Dies::Never).await;
    let client = Client::new(INGRESS.parse().unwrap(), restate.agent());
    let request = |id: &str| ResumeRequest {
        id: id.to_owned(),
        checkpoint: checkpoint.parse().unwrap(),
        resolutions: BTreeMap::from([("c1".to_owned(), Resolution::yes())]),
    };
    let resume = async |request: &ResumeRequest| {
        let outcome = client.resume(&world.session, request, |_: &str| {}).await;
        outcome.unwrap()
    };
    let one = request(&NewSession::default().id);
    let done = resume(&one).await;
    assert!(matches!(done, Outcome::Done { .. }), "{done:?}");
    // The same request is the same turn, and another request finds nothing to resume.
    assert_eq!(resume(&one).await, done);
    let other = resume(&request(&NewSession::default().id)).await;
    assert!(matches!(other, Outcome::Failed { .. }), "{other:?}");
    assert_eq!(world.runs("echo runs: rm"), 1);
    second.process.stop().await;
}
