//! The data that a recording keeps, and the data that the settings leave out.

use std::fs;

use serde_json::json;

use super::damaged::change;
use super::replay;
use crate::agent::loopback::Loopback;
use crate::support::{bare, built, demo, directory, portcullis, run, text};

#[test]
fn what_the_operators_rules_find_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(
        at("agent.toml"),
        "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\n\
         [stores.recording]\nredact = ['[0-9]{4}-[0-9]{4}']\nkeep-calls = 10\n",
    )
    .unwrap();
    let script =
        r#"{ "model": "large-1", "responses": [{ "text": "4711-0815 is ann@example.org's." }] }"#;
    fs::write(at("script.json"), script).unwrap();
    let hooks = demo();
    let chatted = run(&mut portcullis(&[
        "run",
        "--agent",
        text(&at("agent.toml")),
        "--provider",
        &format!("scripted:{}", text(&at("script.json"))),
        "--hooks",
        text(hooks.path()),
        "My number is 4711-0815.\u{202e}",
    ]));
    assert_eq!(chatted.code, Some(0), "{chatted:?}");
    let store = format!("sqlite:{}", text(&at("kept.sqlite")));
    let case_of = |options: &[&str]| {
        let listed = run(bare(&["runs", "--store", &store, "--json"]).args(options));
        let listed = listed.json();
        let id = format!("{}.{}", listed[0]["host"], listed[0]["id"]);
        run(&mut bare(&["case", "from", &id, "--store", &store]))
    };
    let case = case_of(&["--hook", "input-guardrail"]);
    // An invisible character becomes a TOML escape.
    let said = "My number is [redacted].\\U0000202E";
    assert!(case.out.contains(said), "{case:?}");
    let component = built().join("input-guardrail.wasm");
    let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
    assert_eq!(ran.json()["replayed"], 1, "{ran:?}");

    assert!(case.out.contains("outcome = "), "{case:?}");
    // A rule changed the call, so its value is not expected.
    let case = case_of(&["--hook", "output-guardrail", "--outcome", "transform"]);
    assert!(case.out.contains("outcome = \"transform\""), "{case:?}");
    let mut lines = case.out.lines();
    assert!(!lines.any(|line| line.starts_with("value") || line.starts_with("[expect.value")));

    // An invalid rule is found before anything runs.
    fs::write(
        at("agent.toml"),
        "[stores]\nrecord = true\nrecording.redact = ['(']\n",
    )
    .unwrap();
    let checked = run(&mut bare(&["check", "--agent", text(&at("agent.toml"))]));
    assert_ne!(checked.code, Some(0), "{checked:?}");
    assert!(
        format!("{}{}", checked.out, checked.err)
            .contains("the rule `(` is no regular expression: unclosed group"),
        "{checked:?}"
    );
}

/// A turn whose tool call a policy server and a model are asked about: the second response is for the judge.
const JUDGED: &str = r#"{ "responses": [
    { "tool_calls": [{ "id": "c-1", "name": "list_dir", "arguments": { "path": "." } }] },
    { "text": "allow" },
    { "text": "Done." }
] }"#;

#[test]
fn a_request_and_a_prompt_are_answered_by_the_recording() {
    let server = Loopback::new(|_| (200, json!({ "result": { "allow": true } })));
    let url = &server.url;
    let hooks = directory(
        &["policy-server", "llm-judge"],
        &format!(
            "[hooks.policy-server]\ngrants.http = [\"POST {url}\"]\nlimits.wall-ms = 30000\nconfig.url = \"{url}\"\n\
             [hooks.llm-judge]\ngrants.model = {{ tokens = 8000 }}\nlimits.wall-ms = 30000\n\
             config.tools = [\"list_dir\"]\nconfig.rules = \"Nothing is deleted.\"\n"
        ),
    );
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::write(at("script.json"), JUDGED).unwrap();
    fs::write(
        at("agent.toml"),
        "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\n[tools]\nbuilt-in = [\"list_dir\"]\n\
         [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n",
    )
    .unwrap();
    let agent = at("agent.toml");
    let mut chat = portcullis(&["run", "--agent", text(&agent), "List."]);
    let ran = run(chat.args(["--hooks", text(hooks.path())]));
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Done.\n"),
        "{ran:?}"
    );
    assert_eq!(server.asked().len(), 1);
    for hook in ["policy-server", "llm-judge"] {
        let component = built().join(format!("{hook}.wasm"));
        let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["identical"], 1, "{report:#}");
        assert_eq!(report["calls"], 1, "{report:#}");
    }
    // The server is running, and would have answered.
    assert_eq!(server.asked().len(), 1);
}

const HELLO: &str = r#"{ "model": "large-1", "responses": [{ "text": "Hello." }] }"#;

#[test]
fn the_files_of_granted_directories_are_kept_if_the_settings_say_so() {
    let settings = "[hooks.filer.grants]\nread = [\"rules\"]\n";
    let component = built().with_file_name("test-hooks").join("filer.wasm");
    for (keeps, code, key) in [(false, 1, "not-replayed"), (true, 0, "identical")] {
        let hooks = directory(&[], settings);
        fs::copy(&component, hooks.path().join("filer.wasm")).unwrap();
        fs::create_dir(hooks.path().join("rules")).unwrap();
        fs::write(hooks.path().join("rules/words.txt"), "frobnicate").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("script.json"), HELLO).unwrap();
        let agent = format!(
            "[stores]\nurl = \"sqlite:kept.sqlite\"\nrecord = true\nrecording.directories = {keeps}\n\
             [[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n"
        );
        fs::write(at("agent.toml"), agent).unwrap();
        let agent = at("agent.toml");
        let mut chat = portcullis(&["run", "--agent", text(&agent), "read rules/words.txt"]);
        let ran = run(chat.args(["--hooks", text(hooks.path())]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        drop(hooks);
        let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let report = ran.json();
        match keeps {
            true => assert_eq!(report[key], report["calls"], "{report:#}"),
            false => assert!(report[key].to_string().contains("`directories = true`")),
        }
        if keeps {
            let damage = "UPDATE recorded_files SET data = x'00'";
            change(&at("kept.sqlite"), damage);
            let ran = replay(&at("kept.sqlite"), &component, &["--json"]);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            let why = ran.json()["not-replayed"].to_string();
            assert!(
                why.contains("are damaged; keep more bytes, or restore"),
                "{why}"
            );
        }
    }
}
