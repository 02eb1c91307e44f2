use std::fs;

use serde_json::Value;

use crate::support::{all, portcullis, run, text};

const HELLO: &str = r#"{ "model": "large-1", "responses": [{ "text": "Hello." }] }"#;

#[test]
fn every_run_is_recorded_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| text(&dir.path().join(name)).to_owned();
    fs::write(at("script.json"), HELLO).unwrap();
    let hooks = all();
    let chatted = run(&mut portcullis(&[
        "run",
        "--provider",
        &format!("scripted:{}", at("script.json")),
        "--hooks",
        text(hooks.path()),
        "--store",
        &format!("sqlite:{}", at("made/store.sqlite")),
        "Hi",
    ]));
    assert_eq!(chatted.code, Some(0), "{chatted:?}");
    let journal = |more: &[&str]| {
        let mut arguments = vec![
            "journal".to_owned(),
            "--store".into(),
            format!("sqlite:{}", at("made/store.sqlite")),
        ];
        arguments.extend(more.iter().map(|&argument| argument.to_owned()));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        run(&mut crate::support::bare(&arguments))
    };
    let listed = journal(&["--json", "--limit", "1000"]).json();
    let runs = listed.as_array().unwrap();
    let guarded = runs
        .iter()
        .find(|run| run["hook"] == "input-guardrail")
        .unwrap();
    assert_eq!(guarded["point"], "pre-turn");
    assert_eq!(guarded["state"], "completed");
    assert_eq!(guarded["outcome"], "continue");
    for key in ["component", "input"] {
        assert_eq!(guarded[key].as_str().map(str::len), Some(64), "{key}");
    }
    // What was put into the background has ended too.
    let open = |run: &&Value| run["state"] == "started" || run["state"] == "backgrounded";
    assert_eq!(runs.iter().find(open), None);
    let extracted = runs
        .iter()
        .find(|run| run["hook"] == "memory-extractor")
        .unwrap();
    assert_eq!(extracted["state"], "completed");

    let shown = journal(&["--hook", "input-guardrail"]);
    assert!(shown.out.contains("pre-turn"), "{}", shown.out);
    assert!(!shown.out.contains("memory-extractor"), "{}", shown.out);
    let summed = journal(&["--summary", "--json"]).json();
    let hooks: Vec<&Value> = summed.as_array().unwrap().iter().collect();
    assert!(
        hooks
            .iter()
            .any(|hook| hook["hook"] == "input-guardrail" && hook["runs"] == 1)
    );
}

#[test]
fn a_journal_that_is_not_there_is_named() {
    let ran = run(&mut crate::support::bare(&[
        "journal",
        "--store",
        "sqlite:/nowhere/j.sqlite",
    ]));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("/nowhere/j.sqlite"), "{}", ran.err);
    let ran = run(&mut crate::support::bare(&["journal", "--state", "lots"]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let ran = run(&mut crate::support::bare(&[
        "journal", "--point", "pre-trun",
    ]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("'pre-turn'"), "{}", ran.err);
}
