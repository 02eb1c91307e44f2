//! The state that a hook keeps, its lifetime and its isolation.

use std::sync::{Arc, Mutex};

use portcullis::SessionOptions;
use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis_tests::{HooksDir, hook, text, turn};

async fn said(session: &portcullis::Session) -> String {
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed(), "{:?}", verdict.decision);
    text(&call)
}

#[tokio::test]
async fn memory_lives_as_long_as_the_session() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", "", "pre-turn = \"count\""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("one"));
    assert_eq!(said(&session).await, "1");
    assert_eq!(said(&session).await, "2");
    assert_eq!(said(&hooks.session(SessionOptions::new("two"))).await, "1");
}

#[tokio::test]
async fn memory_lives_for_one_call_where_the_operator_says_so() {
    let dir = HooksDir::new().with("probe").settings(&hook(
        "probe",
        "isolation = \"call\"",
        "pre-turn = \"count\"",
    ));
    let session = dir.load().session(SessionOptions::new("one"));
    assert_eq!(said(&session).await, "1");
    assert_eq!(said(&session).await, "1");
}

/// Returns the hook's remaining state from earlier calls, in two sessions that take turns.
async fn stashed(isolation: &str) -> Vec<String> {
    let settings = format!("isolation = \"{isolation}\"");
    let dir =
        HooksDir::new()
            .with("probe")
            .settings(&hook("probe", &settings, "pre-turn = \"stash\""));
    let hooks = dir.load();
    let ours = hooks.session(SessionOptions::new("ours"));
    let theirs = hooks.session(SessionOptions::new("theirs"));
    let mut found = Vec::new();
    for (session, says) in [(&ours, "our secret"), (&theirs, "nosy"), (&ours, "again")] {
        let mut call = turn(says);
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{:?}", verdict.decision);
        found.push(text(&call));
    }
    found
}

#[tokio::test]
async fn a_secret_in_memory_is_read_by_other_sessions_only_where_they_share_instances() {
    assert_eq!(stashed("session").await, ["", "", "our secret"]);
    assert_eq!(stashed("call").await, ["", "", ""]);
    assert_eq!(stashed("shared").await, ["", "our secret", "nosy"]);
}

#[tokio::test]
async fn state_belongs_to_the_session_also_in_a_shared_instance() {
    for isolation in ["session", "call", "shared"] {
        let settings = format!("isolation = \"{isolation}\"");
        let dir = HooksDir::new().with("probe").settings(&hook(
            "probe",
            &settings,
            "pre-turn = \"remember\"",
        ));
        let hooks = dir.load();
        let (one, two) = (
            hooks.session(SessionOptions::new("one")),
            hooks.session(SessionOptions::new("two")),
        );
        assert_eq!(said(&one).await, "1", "{isolation}");
        assert_eq!(said(&one).await, "2", "{isolation}");
        assert_eq!(said(&two).await, "1", "{isolation}");
        assert_eq!(said(&one).await, "3", "{isolation}");
    }
}

#[tokio::test]
async fn a_shared_instance_logs_to_the_session_that_calls_it_and_keeps_no_other() {
    let dir = HooksDir::new().with("probe").settings(&hook(
        "probe",
        "isolation = \"shared\"",
        "pre-turn = \"lines 1\"\npost-turn = \"emit 1\"",
    ));
    let hooks = dir.load();
    let mut gone = Vec::new();
    for id in ["one", "two"] {
        let sink = Arc::new(portcullis_tests::Watcher::default());
        let session = hooks.session(SessionOptions {
            sink: sink.clone(),
            ..SessionOptions::new(id)
        });
        session.run(&mut turn("hello")).await;
        session.run(&mut post_turn()).await;
        assert_eq!(sink.logged().len(), 1, "{id}");
        let events: Vec<_> = sink.events().into_iter().map(|e| e.session).collect();
        assert_eq!(events, [id]);
        gone.push(Arc::downgrade(&sink));
    }
    assert!(gone.iter().all(|sink| sink.upgrade().is_none()));
}

#[tokio::test]
async fn state_survives_the_instance_and_ends_with_the_session() {
    let dir = HooksDir::new().with("probe").settings(&hook(
        "probe",
        "isolation = \"call\"",
        "pre-turn = \"remember\"",
    ));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("one"));
    assert_eq!(said(&session).await, "1");
    assert_eq!(said(&session).await, "2");
    drop(session);
    assert_eq!(said(&hooks.session(SessionOptions::new("one"))).await, "1");
}

#[tokio::test]
async fn a_failed_call_leaves_no_state_and_no_event() {
    #[derive(Default)]
    struct Events(Mutex<Vec<String>>);
    impl HookObserver for Events {
        fn log(&self, _: LogLine<'_>) {}
        fn event(&self, event: HookEvent) {
            self.0.lock().expect("no panic").push(event.name);
        }
    }
    let dir = HooksDir::new().with("probe").settings(&hook(
        "probe",
        "failure = \"fail-open\"",
        "pre-turn = \"remember\"\npost-turn = \"remember-and-panic\"\nturn-error = \"emit-and-panic\"",
    ));
    let events = Arc::new(Events::default());
    let session = dir.load().session(SessionOptions {
        sink: events.clone(),
        ..SessionOptions::new("one")
    });
    assert_eq!(said(&session).await, "1");
    let mut broken = portcullis::Call::<portcullis::points::TurnError>::new(
        portcullis_tests::context(),
        portcullis::points::turn_error::Failure {
            kind: portcullis::points::turn_error::ErrorKind::Internal,
            message: "x".into(),
        },
        portcullis::Views::default(),
    );
    let verdict = session.run(&mut broken).await;
    assert!(verdict.runs[0].cause().is_some());
    assert!(events.0.lock().expect("no panic").is_empty());
    let mut broken = post_turn();
    let verdict = session.run(&mut broken).await;
    assert!(verdict.runs[0].cause().is_some());
    assert_eq!(said(&session).await, "2");
}

fn post_turn() -> portcullis::Call<portcullis::points::PostTurn> {
    portcullis::Call::new(
        portcullis_tests::context(),
        portcullis::points::post_turn::TurnOutput {
            text_bytes: 0,
            steps: 1,
            stop: portcullis::contract::StopReason::EndTurn,
            usage: portcullis::contract::Usage {
                input_tokens: 0,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
            elapsed_us: 0,
        },
        portcullis::Views::default(),
    )
}
