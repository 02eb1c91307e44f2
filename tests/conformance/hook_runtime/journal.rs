//! "Persistence And Recovery": the states of hook runs, latency and attempts, safe diagnostics,
//! digests of contributions. (The tests of host/store cover the state after a crash.)

use std::time::Duration;

use portcullis_agent::{Agent, NewSession, Script};
use portcullis_store::{JournalRun, RunFilter, Store};
use serde_json::{Value, json};

use crate::harness::{
    ACTOR, Actor, Answer, Does, KINDS, Kind, at, contribute, does, load, reject, says,
};

/// Runs a turn with these hooks and returns their runs in the journal.
async fn recorded(actors: &[Actor], kind: Kind, responses: &[Value]) -> Vec<JournalRun> {
    let journal = Store::temporary().unwrap().journal().unwrap();
    let (_dir, hooks) = load(actors, kind);
    let script = json!({ "responses": responses }).to_string();
    let agent = Agent::builder()
        .providers(Script::parse(&script).unwrap().providers())
        .hooks(hooks)
        .journal(journal.clone())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    let _ = session.turn("go").await;
    session.close().await;
    assert_eq!(agent.drain(Duration::from_secs(10)).await, 0);
    journal.flush().unwrap();
    let runs = journal.runs(&RunFilter::default()).unwrap();
    assert!(runs.iter().all(|run| run.row.attempt == 1));
    assert!(
        runs.iter().all(|run| run.end.latency_us.is_some()),
        "all have ended"
    );
    runs
}

/// Returns the runs at a point.
fn at_point<'a>(runs: &'a [JournalRun], point: &str) -> Vec<&'a JournalRun> {
    runs.iter().filter(|run| run.row.point == point).collect()
}

fn states(runs: &[&JournalRun]) -> Vec<String> {
    runs.iter()
        .map(|run| format!("{} {}", run.row.hook, run.end.state))
        .collect()
}

#[tokio::test]
async fn completed_with_digests() {
    let policy = json!({ "policy": { "domain": "memory", "rules": "{}" } });
    let actor = Actor::new(ACTOR, [at("prompt-policy", contribute(&[policy]))]);
    for kind in KINDS {
        let runs = recorded(std::slice::from_ref(&actor), kind, &[says("done")]).await;
        let phase = at_point(&runs, "prompt-policy");
        assert_eq!(states(&phase), ["actor completed"], "{kind:?}");
        let run = phase[0];
        assert_eq!(run.end.outcome.as_deref(), Some("contribute"));
        assert_eq!(run.end.contributions.len(), 1, "{kind:?}: a digest of each");
        assert!(run.row.input.is_some());
        assert_eq!(run.row.component.is_some(), kind == Kind::Component);
        assert_eq!((run.row.turn, run.row.step), (1, 0));
        // Each of the points fired once.
        for point in ["pre-turn", "prompt-compile", "post-turn", "session-end"] {
            assert_eq!(at_point(&runs, point).len(), 1, "{kind:?} {point}");
        }
    }
}

#[tokio::test]
async fn skipped_failed_and_timed_out() {
    let two = |first: Answer| {
        [
            Actor::new("audit", [first])
                .failure("fail-closed")
                .priority(1),
            Actor::new("guard", []).priority(2),
        ]
    };
    for kind in KINDS {
        let refused = two(at("pre-turn", reject("no")));
        let runs = recorded(&refused, kind, &[]).await;
        assert_eq!(
            states(&at_point(&runs, "pre-turn")),
            ["audit completed", "guard skipped"],
            "{kind:?}"
        );

        let broken = two(does("pre-turn", Does::Fail("broken")));
        let runs = recorded(&broken, kind, &[]).await;
        let failed = at_point(&runs, "pre-turn");
        assert_eq!(
            states(&failed),
            ["audit failed", "guard skipped"],
            "{kind:?}"
        );
        assert!(failed[0].end.fatal);
        assert!(failed[0].end.cause.is_some() && failed[0].end.message.is_some());

        // A closure cannot be stopped.
        if kind != Kind::Native {
            let slow = two(does("pre-turn", Does::Hang));
            let runs = recorded(&slow, kind, &[]).await;
            let late = at_point(&runs, "pre-turn");
            assert_eq!(
                states(&late),
                ["audit timed-out", "guard skipped"],
                "{kind:?}"
            );
        }
    }
}

#[tokio::test]
async fn backgrounded_and_then_completed() {
    for kind in KINDS {
        for execution in ["fire-and-record", "background"] {
            let actor = Actor::new(ACTOR, []).role("observe").execution(execution);
            let runs = recorded(&[actor], kind, &[says("done")]).await;
            assert_eq!(
                states(&at_point(&runs, "post-turn")),
                ["actor completed"],
                "{kind:?} {execution}: one run, whose end came later"
            );
        }
    }
}
