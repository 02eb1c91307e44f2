//! What a hook keeps, for how long, and from whom.

use std::sync::{Arc, Mutex};

use portcullis::{HookEvent, HookSink, LogLine, SessionOptions};
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
    impl HookSink for Events {
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
