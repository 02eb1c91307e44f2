//! The grants and settings that the operator revokes from a hook whose file does not load.

use portcullis::SessionOptions;
use portcullis::reload::{ChangeKind, Reload};
use portcullis::verdict::{Cause, HookRun, RunStatus};
use portcullis_tests::{HooksDir, variant};

use super::{done, say, told};

/// Returns the reason why it did not run.
fn why(run: &HookRun) -> &str {
    match &run.status {
        RunStatus::Failed { message, .. } => message,
        other => panic!("{other:?}"),
    }
}

const SAYS: &str = "[hooks.probe.config]\npre-turn = \"append x\"\n";

fn with(before: &str, grants: &str) -> String {
    format!("{before}[hooks.probe.grants]\n{grants}\n{SAYS}")
}

const ALL: &str = "state = true\nevents = true\n\
    contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]";

#[tokio::test]
async fn a_hook_does_not_run_without_what_it_was_granted() {
    let without_state = ALL.replace("state = true\n", "");
    let without_a_view = format!("views = [\"content\"]\n{ALL}");
    let without_notes = ALL.replace("\"note\", ", "");
    for (less, named) in [
        (without_state.as_str(), "state"),
        (&without_a_view, "views = \"conversation\""),
        (&without_notes, "contribute"),
    ] {
        // The bytes do not matter: none of them load.
        for bytes in [b"nonsense".to_vec(), variant("probe", "new")] {
            for (closed, before) in [
                (true, ""),
                (false, "[hooks.probe]\nfailure = \"fail-open\"\n"),
            ] {
                let dir = HooksDir::new().with("probe").settings(&with(before, ALL));
                let hooks = dir.load();
                let session = hooks.session(SessionOptions::new("test"));
                assert_eq!(say(&session).await.1, "hellox");
                dir.put("probe.wasm", &bytes);
                dir.put("hooks.toml", with(before, less).as_bytes());
                let revoked = done(hooks.reload());
                assert_eq!(told(&revoked.changes), [("probe", ChangeKind::Changed)]);
                assert_eq!(revoked.disarmed().count(), usize::from(!closed));
                let kept = &revoked.kept[0];
                assert!(kept.revoked.iter().any(|gone| gone == named), "{kept:?}");
                let (verdict, said) = say(&session).await;
                assert_eq!(verdict.runs[0].cause(), Some(Cause::Revoked));
                assert!(why(&verdict.runs[0]).contains(named), "{verdict:?}");
                assert_eq!(
                    (verdict.decision.passed(), said.as_str()),
                    (!closed, "hello")
                );
                // A second reload reports nothing new.
                assert!(matches!(hooks.reload(), Reload::Unchanged));
                assert_eq!(hooks.reports()[0].revoked, kept.revoked);
                assert!(hooks.summaries()[0].revoked);
            }
        }
    }
}

#[tokio::test]
async fn it_runs_again_once_it_is_granted_again() {
    let dir = HooksDir::new().with("probe").settings(&with("", ALL));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    let less = with("", "events = true");
    for broken in [true, false] {
        dir.put("probe.wasm", b"nonsense");
        dir.put("hooks.toml", less.as_bytes());
        assert!(!done(hooks.reload()).kept[0].revoked.is_empty());
        assert_eq!(say(&session).await.0.runs[0].cause(), Some(Cause::Revoked));
        if !broken {
            dir.put("probe.wasm", &variant("probe", "new"));
        }
        dir.put("hooks.toml", with("", ALL).as_bytes());
        let again = done(hooks.reload());
        assert_eq!(again.kept.len(), usize::from(broken), "{again:?}");
        assert!(again.kept.iter().all(|kept| kept.revoked.is_empty()));
        assert_eq!(say(&session).await.1, "hellox", "{broken}");
    }
}

#[tokio::test]
async fn a_part_of_a_grant_is_a_grant() {
    let grants = |read: &str| format!("[hooks.filer.grants]\nread = [{read}]\n");
    let dir = HooksDir::new()
        .with("filer")
        .settings(&grants("\"in\", \"more\""));
    for name in ["in", "more"] {
        std::fs::create_dir(dir.path().join(name)).expect("a directory");
    }
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    assert!(say(&session).await.0.decision.passed());
    dir.put("filer.wasm", b"nonsense");
    dir.put("hooks.toml", grants("\"in\"").as_bytes());
    assert_eq!(done(hooks.reload()).kept[0].revoked, ["read = \"more\""]);
    assert!(!say(&session).await.0.decision.passed());
    // A wider grant revokes nothing.
    dir.put("hooks.toml", grants("\"in\", \"more\", \"out\"").as_bytes());
    assert!(done(hooks.reload()).kept[0].revoked.is_empty());
    assert!(say(&session).await.0.decision.passed());
}

#[tokio::test]
async fn it_can_be_switched_off_and_on() {
    let dir = HooksDir::new().with("probe").settings(&with("", ALL));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    dir.put("probe.wasm", b"nonsense");
    dir.put("hooks.toml", b"[hooks.probe]\nenabled = false\n");
    let off = done(hooks.reload());
    assert_eq!((off.disarmed().count(), off.kept.len()), (1, 1));
    assert!(off.kept[0].off);
    assert!(say(&session).await.0.runs.is_empty());
    dir.put("hooks.toml", with("", ALL).as_bytes());
    assert_eq!(done(hooks.reload()).disarmed().count(), 0);
    assert_eq!(say(&session).await.1, "hellox");
}

#[tokio::test]
async fn one_that_was_off_when_it_was_loaded_stays_off() {
    let dir = HooksDir::new()
        .with("probe")
        .settings("[hooks.probe]\nenabled = false\n");
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    dir.put("probe.wasm", b"nonsense");
    dir.put("hooks.toml", b"[hooks.probe]\nenabled = false\n\n");
    assert!(done(hooks.reload()).kept[0].revoked.is_empty());
    dir.put("hooks.toml", with("", ALL).as_bytes());
    assert_eq!(done(hooks.reload()).kept.len(), 1);
    assert!(say(&session).await.0.runs.is_empty());
}

#[tokio::test]
async fn an_order_that_is_taken_back_stands_in_nobodys_way() {
    let dir = HooksDir::new().with("tiny").with("probe");
    let settings = |probe: &str, tiny: &str| {
        format!("[hooks.probe]\n{probe}\n[hooks.tiny]\n{tiny}\n[hooks.probe.grants]\n{ALL}\n{SAYS}")
    };
    let dir = dir.settings(&settings("after = [\"tiny\"]", ""));
    let hooks = dir.load();
    let session = hooks.session(SessionOptions::new("test"));
    dir.put("probe.wasm", b"nonsense");
    let tiny_off = settings("after = []", "enabled = false");
    dir.put("hooks.toml", tiny_off.as_bytes());
    done(hooks.reload());
    assert_eq!(say(&session).await.1, "hellox");
    assert!(
        !hooks
            .summaries()
            .iter()
            .any(|hook| hook.id.as_str() == "tiny" && hook.enabled)
    );
}
