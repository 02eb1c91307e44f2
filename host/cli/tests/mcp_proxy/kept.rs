//! What the proxy keeps in a store.

use std::process::Command;

use super::peers::{call, hooks_of, text};
use super::running::Running;

const SETTINGS: &str = r#"
[hooks.probe.grants]
state = true
events = true
contribute = ["policy", "context", "section", "tools", "note", "job"]
[hooks.probe.config]
post-tool-call = "remember"
"#;

#[test]
fn a_named_session_is_continued_and_every_run_is_in_the_journal() {
    let dir = hooks_of("probe", SETTINGS);
    let place = tempfile::tempdir().expect("a directory");
    let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
    let named = ["--store", &store, "--session", "mine"];
    let unnamed = ["--store", &store];
    for (options, times) in [
        (&named[..], "1"),
        (&named[..], "2"),
        (&unnamed[..], "1"),
        (&unnamed[..], "1"),
        (&["--no-store"][..], "1"),
        (&named[..], "3"),
    ] {
        assert_eq!(text(&call(dir.path(), options)), times, "{options:?}");
    }
    let journal = Command::new(env!("CARGO_BIN_EXE_portcullis"))
        .args([
            "runs",
            "--json",
            "--point",
            "post-tool-call",
            "--store",
            &store,
        ])
        .output()
        .expect("the command runs");
    let runs = String::from_utf8(journal.stdout).expect("text");
    assert_eq!(runs.matches("\"probe\"").count(), 5, "{runs}");
}

/// The store takes no state of a session that was released: then no other process can lose what it wrote.
#[test]
fn a_result_whose_state_cannot_be_kept_is_not_given() {
    for answered in ["", "pre-tool-call = \"answer done\"\n"] {
        let dir = hooks_of("probe", &format!("{SETTINGS}{answered}"));
        let place = tempfile::tempdir().expect("a directory");
        let store = format!("sqlite:{}", place.path().join("store.sqlite").display());
        let mut proxy = Running::start(dir.path(), &["--store", &store, "--session", "mine"]);
        let kept = proxy.call(1);
        assert_eq!((kept.len(), text(&kept[0])), (1, "1"), "{kept:?}");
        let released = Command::new(env!("CARGO_BIN_EXE_portcullis"))
            .args(["sessions", "release", "mine", "--store", &store])
            .output()
            .expect("the command runs");
        assert!(released.status.success(), "{released:?}");
        let came = proxy.call(2);
        assert_eq!(came.len(), 1, "{came:?}");
        assert_eq!(came[0]["id"], 2, "{came:?}");
        let error = came[0]["error"]["message"].as_str().unwrap_or_default();
        assert!(error.contains("cannot be kept"), "{came:?}");
        proxy.end();
    }
}
