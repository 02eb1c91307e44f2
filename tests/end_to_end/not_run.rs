//! A guard that did not do its work is reported, whatever its failure policy.

use std::sync::Arc;

use portcullis::points::PreTurn;
use portcullis::{Cause, Failure, NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Watcher, hook, turn};

#[tokio::test]
async fn guards_and_nobody_else() {
    for (settings, action, told) in [
        ("role = \"gate\"", "panic", Some((Cause::Trap, true))),
        (
            "role = \"transform\"\nfailure = \"fail-open\"",
            "fail sorry",
            Some((Cause::GuestError, false)),
        ),
        (
            "role = \"gate\"",
            "transform x",
            Some((Cause::BadOutput, true)),
        ),
        (
            "role = \"gate\"\nmode = \"audit\"",
            "panic",
            Some((Cause::Trap, false)),
        ),
        ("role = \"gate\"", "reject", None),
        ("role = \"gate\"", "continue", None),
        ("role = \"observe\"", "panic", None),
    ] {
        let sink = Arc::new(Watcher::default());
        let actions = format!("pre-turn = \"{action}\"");
        let session = HooksDir::new()
            .with("probe")
            .settings(&hook("probe", settings, &actions))
            .load()
            .session(SessionOptions {
                sink: sink.clone(),
                ..SessionOptions::new("test")
            });
        session.run(&mut turn("hello")).await;
        let expected: Vec<_> = told
            .map(|(cause, refused)| ("probe".to_owned(), cause, refused))
            .into_iter()
            .collect();
        assert_eq!(sink.not_run(), expected, "{settings}: {action}");
    }
}

#[tokio::test]
async fn native_guards_too() {
    let sink = Arc::new(Watcher::default());
    let native = NativeHook::new("native").on::<PreTurn>(|_| Err(Failure::Host("no disk".into())));
    let session = portcullis::Hooks::none()
        .with([native])
        .expect("hooks")
        .session(SessionOptions {
            sink: sink.clone(),
            ..SessionOptions::new("test")
        });
    session.run(&mut turn("hello")).await;
    assert_eq!(sink.not_run(), [("native".into(), Cause::Host, true)]);
}
