//! Grants that are missing, that do nothing, and that together are a risk.

use serde_json::json;

use super::check::found;
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
fn grants_that_do_nothing_are_noted() {
    let dir = directory(
        &["path-jail"],
        "[hooks.path-jail.grants]\nevents = true\nhttp = [\"GET https://example.com\"]\nread = [\"/nonexistent\"]\n",
    );
    for command in [&["hooks", "check"][..], &["hooks", "inspect", "path-jail"]] {
        let ran = run(portcullis(command).args(["--hooks", text(dir.path())]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let words: Vec<&str> = ran.out.split_whitespace().collect();
        let words = words.join(" ");
        for said in [
            "path-jail does not use the grant `events`; remove it",
            "path-jail does not use the grant `http`; remove it",
            "path-jail does not use the grant `read`; remove it",
        ] {
            assert!(words.contains(said), "no `{said}` in:\n{}", ran.out);
        }
        assert!(!words.contains("`state`; remove"), "{}", ran.out);
        assert!(!words.contains("does not exist"), "{}", ran.out);
    }
}

#[test]
fn exfiltration_risks_are_reported_everywhere() {
    let grants =
        "[hooks.memory-extractor.grants]\nshared-state = [\"memory\"]\ncontribute = [\"note\"]\n";
    let dir = directory(&["memory-extractor"], grants);
    let said = "could carry what it reads out";
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
