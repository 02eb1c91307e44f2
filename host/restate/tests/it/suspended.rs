//! Turns that wait, and turns that are cancelled.

use std::collections::BTreeMap;

use portcullis_agent::{NewSession, Resolution};
use portcullis_restate::{Outcome, ResumeRequest};

use super::agent::{Dies, take_done};
use super::inside;
use super::world::World;

fn resume(outcome: &Outcome, results: &[(&str, &str)]) -> ResumeRequest {
    let Outcome::Suspended { checkpoint, .. } = outcome else {
        panic!("{outcome:?}");
    };
    let results = results
        .iter()
        .map(|(call, text)| ((*call).to_owned(), Resolution::result(*text)));
    ResumeRequest {
        id: NewSession::default().id,
        checkpoint: checkpoint.clone(),
        resolutions: results.collect(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_waits_although_all_die_and_is_resumed_once() {
    let Some(server) =
        inside::server("suspended::a_turn_waits_although_all_die_and_is_resumed_once")
    else {
        return;
    };
    let mut world = World::start(&server).await;
    let worker = world.worker(Dies::Never);
    let suspended = world.turn("s", "ask").await;
    let request = resume(&suspended, &[("b1", "blue")]);
    drop(worker);
    world.server.restart().await;
    // This one dies in the resumed turn, and the last one finishes it.
    let mut first = world.worker(Dies::After(2));
    let (resumed, last) = tokio::join!(world.client.resume("s", &request, |_: &str| {}), async {
        while first.0.try_wait().unwrap().is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        world.worker(Dies::Never)
    });
    assert_eq!(
        resumed.unwrap(),
        Outcome::Done {
            text: "it was asked".into()
        }
    );
    // The same request is the same turn, and another one finds nothing to resume.
    let again = world
        .client
        .resume("s", &request, |_: &str| {})
        .await
        .unwrap();
    assert!(matches!(again, Outcome::Done { .. }), "{again:?}");
    let other = resume(&suspended, &[("b1", "red")]);
    let other = world
        .client
        .resume("s", &other, |_: &str| {})
        .await
        .unwrap();
    assert!(matches!(other, Outcome::Failed { .. }), "{other:?}");
    let said = world.lines("s").await.join("\n");
    assert!(said.contains("blue") && !said.contains("red"), "{said}");
    drop(last);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_nobody_answers_in_time_is_answered_with_no() {
    let Some(server) = inside::server("suspended::what_nobody_answers_in_time_is_answered_with_no")
    else {
        return;
    };
    let mut world = World::start(&server).await;
    world.within_ms = Some(300);
    let worker = world.worker(Dies::Never);
    let suspended = world.turn("s", "ask").await;
    drop(worker);
    let Outcome::Suspended { until_ms, .. } = &suspended else {
        panic!("{suspended:?}");
    };
    assert!(until_ms.is_some());
    let _worker = world.worker(Dies::Never);
    // The next turn of the session runs once the suspended one has ended.
    while let failed @ Outcome::Failed { .. } = world.turn("s", "go").await {
        assert!(format!("{failed:?}").contains("suspended"), "{failed:?}");
    }
    let said = world.lines("s").await.join("\n");
    assert!(said.contains("no answer came in time"), "{said}");
    let late = resume(&suspended, &[("b1", "blue")]);
    let late = world.client.resume("s", &late, |_: &str| {}).await.unwrap();
    assert!(matches!(late, Outcome::Failed { .. }), "{late:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_is_cancelled_in_the_middle_of_an_effect() {
    let Some(server) = inside::server("suspended::a_turn_is_cancelled_in_the_middle_of_an_effect")
    else {
        return;
    };
    let world = World::start(&server).await;
    let cancelled = |outcome: &Outcome| {
        matches!(
            outcome,
            Outcome::Failed {
                cancelled: true,
                ..
            }
        )
    };
    // The worker lives, or dies before it notices.
    for dies in [false, true] {
        let session = format!("dies {dies}");
        take_done(world.dir());
        let worker = world.worker(Dies::Never);
        let (outcome, _last) = tokio::join!(world.turn(&session, "wait"), async {
            world.wait_for("slow begins").await;
            match dies {
                true => {
                    drop(worker);
                    assert!(world.store.turns().cancel(&session).await.unwrap());
                    world.worker(Dies::Never)
                }
                false => {
                    assert!(world.store.turns().cancel(&session).await.unwrap());
                    worker
                }
            }
        });
        assert!(cancelled(&outcome), "{outcome:?}");
        let next = world.turn(&session, "go").await;
        assert!(matches!(next, Outcome::Done { .. }), "{next:?}");
        let mut runs = BTreeMap::<String, usize>::new();
        for action in take_done(world.dir()) {
            *runs.entry(action).or_default() += 1;
        }
        assert_eq!(runs["slow begins"], 1, "{runs:?}");
    }
}
