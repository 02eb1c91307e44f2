//! The contributions of hooks: each kind on its way into the prompt, and the rejected ones.

mod refused;
mod taken;

use std::sync::Arc;

use portcullis::points::{OutcomeKind, PointId};
use portcullis::session::CallData;
use portcullis::{Session, SessionOptions, Verdict, Views};
use portcullis_tests::{HooksDir, Sample, Watcher, hook};

/// Opens a session with two probes, one after the other at every forward point; the second reports
/// the first one's contributions.
fn pair(actions: &str, settings: &str, looks: &str) -> (Session, Arc<Watcher>) {
    let settings = hook("first", &format!("priority = 1\n{settings}"), actions)
        + &hook("later", "", &format!("{looks} = \"look\""));
    let sink = Arc::new(Watcher::default());
    let session = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&settings)
        .load()
        .session(SessionOptions {
            sink: sink.clone(),
            ..SessionOptions::new("test")
        });
    (session, sink)
}

/// Returns the second probe's view of the first one's contributions, and the result of the call.
async fn seen<P: Sample>(action: &str, settings: &str) -> (String, Views, P::Subject, Verdict<P>) {
    let (session, sink) = pair(&format!("{} = '{action}'", P::ID), settings, P::ID.name());
    let mut call = P::sample();
    let verdict = session.run(&mut call).await;
    let looked = sink.logged().pop().unwrap_or_default();
    let CallData { subject, views, .. } = call.into_data();
    (looked, views, subject, verdict)
}

#[test]
fn every_point_that_takes_contributions_is_tried_here() {
    let takes: Vec<_> = PointId::ALL
        .iter()
        .filter(|point| {
            let contribute = OutcomeKind::Contribute;
            point.info().outcomes.contains(&contribute)
        })
        .map(|point| point.name())
        .collect();
    let tried = [
        "post-turn",
        "prompt-policy",
        "prompt-context",
        "prompt-recall",
        "prompt-tools",
        "prompt-compile",
    ];
    assert_eq!(takes, tried);
}
