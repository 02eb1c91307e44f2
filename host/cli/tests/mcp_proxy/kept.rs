//! What the proxy keeps in a store.

use std::process::Command;

use super::peers::{call, hooks_of, text};

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
            "journal",
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
