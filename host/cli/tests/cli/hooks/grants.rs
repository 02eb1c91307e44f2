//! Grants that are missing, that do nothing, and that together are a risk.

use std::fs;

use serde_json::json;

use super::check::{found, problems};
use crate::support::{directory, portcullis, run, text};

#[test]
fn a_grant_that_several_imports_need_is_told_once() {
    let dir = directory(&["policy-server"], "[hooks.policy-server]\n");
    let problems = found(dir.path());
    let told: Vec<_> = problems
        .iter()
        .filter(|(_, said)| said.contains("http = ["))
        .collect();
    assert_eq!(told.len(), 1, "{problems:#?}");
    for import in ["wasi:http/types@", "wasi:http/outgoing-handler@"] {
        assert!(told[0].1.contains(import), "{told:?}");
    }
}

#[test]
fn the_fix_for_a_missing_entry_is_the_whole_list() {
    for (written, list) in [
        (
            "answers = [\"reject\"]",
            "answers = [\"reject\", \"transform\"]",
        ),
        (
            "answers = [\"stop\"]",
            "answers = [\"stop\", \"reject\", \"transform\"]",
        ),
        (
            "views = [\"content\"]",
            "views = [\"content\", \"tool-data\"]",
        ),
    ] {
        let table = "[hooks.path-jail.grants]";
        let dir = directory(&["path-jail"], &format!("{table}\n{written}\n"));
        let fix = format!("write in hooks.toml: {table} {list}");
        let problems = problems(dir.path());
        for problem in problems.as_array().unwrap() {
            let said = problem["fix"].as_str().unwrap();
            assert!(said.ends_with(&fix), "{written}: {problems:#}");
        }
        let settings = format!("{table}\n{list}\n[unnamed]\nload = \"trusted\"\n");
        fs::write(dir.path().join("hooks.toml"), settings).unwrap();
        let check = ["hooks", "check", "--hooks", text(dir.path())];
        let ran = run(&mut portcullis(&check));
        assert_eq!(ran.code, Some(0), "{list}: {ran:?}");
    }
}

/// Returns the notes on a hook's grants from both commands that print them, each on one line.
fn notes(settings: &str) -> Vec<String> {
    let dir = directory(&["path-jail"], settings);
    let commands = [&["hooks", "check"][..], &["hooks", "inspect", "path-jail"]];
    let said = commands.map(|command| {
        let ran = run(portcullis(command).args(["--hooks", text(dir.path())]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    said.to_vec()
}

#[test]
fn grants_that_do_nothing_are_noted() {
    let grants = "[hooks.path-jail.grants]\nevents = true\n\
                  http = [\"GET https://example.com\"]\nread = [\"/nonexistent\"]\n";
    for words in notes(grants) {
        for key in ["events", "http", "read"] {
            let said = format!("path-jail does not use the grant `{key}`; remove it");
            assert!(words.contains(&said), "no `{said}` in:\n{words}");
        }
        assert!(!words.contains("`state`; remove"), "{words}");
        assert!(!words.contains("does not exist"), "{words}");
    }
}

#[test]
fn views_and_answers_that_a_hook_does_not_import_are_noted() {
    let entries = "views = [\"tool-data\", \"session\"]\n\
                   answers = [\"reject\", \"transform\", \"stop\"]\n";
    for words in notes(&format!("[hooks.path-jail.grants]\n{entries}")) {
        for (entry, key) in [("session", "views"), ("stop", "answers")] {
            let said = format!("path-jail does not use `{entry}` in the grant `{key}`; remove it");
            assert!(words.contains(&said), "no `{said}` in:\n{words}");
        }
        assert_eq!(words.matches("; remove it").count(), 2, "{words}");
    }
    for words in notes(&format!("[defaults]\n{entries}[hooks.path-jail]\n")) {
        assert!(!words.contains("does not use"), "{words}");
    }
}

#[test]
fn answers_that_the_role_does_not_allow_are_noted() {
    for (role, answers) in [
        ("observe", Some("reject, transform")),
        ("gate", Some("transform")),
        ("transform", None),
    ] {
        for words in notes(&format!("[hooks.path-jail]\nrole = \"{role}\"\n")) {
            let said = "imports answers that its role";
            assert_eq!(words.contains(said), answers.is_some(), "{role}: {words}");
            if let Some(answers) = answers {
                let said = format!("{said} `{role}` does not allow: {answers}; such an answer");
                assert!(words.contains(&said), "no `{said}` in:\n{words}");
            }
        }
    }
}

#[test]
fn exfiltration_risks_are_reported_everywhere() {
    let grants =
        "[hooks.memory-extractor.grants]\nshared-state = [\"memory\"]\ncontribute = [\"note\"]\n";
    let dir = directory(&["memory-extractor"], grants);
    let said = "could exfiltrate what it reads";
    for command in ["list", "check"] {
        let ran = run(&mut portcullis(&[
            "hooks",
            command,
            "--hooks",
            text(dir.path()),
        ]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(format!("{}{}", ran.out, ran.err).contains(said), "{ran:?}");
    }
    let file = dir.path().join("memory-extractor.wasm");
    let people = run(&mut portcullis(&["hooks", "inspect", text(&file)]));
    assert!(people.out.contains(said), "{}", people.out);
    let report = run(&mut portcullis(&[
        "hooks",
        "inspect",
        text(&file),
        "--json",
    ]))
    .json();
    assert_eq!(
        report["exfiltration-risk"]["sends"],
        json!(["shared-state (memory)"]),
        "{report}"
    );
    for key in ["see", "change", "reach", "cost"] {
        assert!(report[key].is_array(), "{key}: {report}");
    }
}
