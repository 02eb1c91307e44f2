//! A guard that did not do its work is reported, whatever its failure policy.

use std::sync::Arc;

use portcullis::points::PreTurn;
use portcullis::verdict::{Cause, Failure};
use portcullis::{Decision, NativeHook, SessionOptions};
use portcullis_tests::{HooksDir, Watcher, hook, tool_call, turn};

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
async fn a_guard_whose_change_is_dropped_is_told_and_one_that_an_answer_skips() {
    for (first, guard, told) in [
        ("replace x", "append y", Some(Cause::Replaced)),
        ("replace x", "replace y", Some(Cause::Replaced)),
        ("replace x", "continue", None),
        ("append x", "append y", None),
        ("answer x", "append y", Some(Cause::Answered)),
        // No operation continues that the guard might have refused.
        ("reject", "append y", None),
    ] {
        let sink = Arc::new(Watcher::default());
        let settings = hook(
            "first",
            "priority = -100",
            &format!("pre-turn = \"{first}\""),
        ) + &hook("guard", "", &format!("pre-turn = \"{guard}\""));
        let session = HooksDir::new()
            .with_renamed("probe", "first")
            .with_renamed("probe", "guard")
            .settings(&settings)
            .load()
            .session(SessionOptions {
                sink: sink.clone(),
                ..SessionOptions::new("test")
            });
        session.run(&mut turn("hello")).await;
        let expected: Vec<_> = told
            .map(|cause| ("guard".to_owned(), cause, false))
            .into_iter()
            .collect();
        assert_eq!(sink.not_run(), expected, "{first}, {guard}");
    }
}

/// A path that leaves the jail is also refused if an unrelated hook set it with `replace`.
#[tokio::test]
async fn path_jail_holds_behind_a_replace() {
    let stranger = hook(
        "probe",
        "priority = -2147483648",
        r#"pre-tool-call = 'replace {"path":"/etc/passwd"}'"#,
    );
    let session = HooksDir::new()
        .with("probe")
        .with("path-jail")
        .settings(&stranger)
        .load()
        .session(SessionOptions::new("test"));
    let mut call = tool_call(r#"{"path":"a"}"#);
    let verdict = session.run(&mut call).await;
    match verdict.decision {
        Decision::Rejected { by, .. } => assert_eq!(by.as_str(), "path-jail"),
        other => panic!("{other:?}"),
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
