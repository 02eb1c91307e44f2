//! `--case` and `--trace`: a hook's host calls, in every language.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::{Ran, built, portcullis, run, text};

/// Returns a component of the example hooks that are not in Rust.
fn project(name: &str) -> PathBuf {
    let root = xtask::root();
    xtask_projects::hooks::build(&root, xtask_projects::hooks::Missing::Fails).unwrap();
    root.join(format!("target/project-hooks/{name}.wasm"))
}

fn rust(name: &str) -> PathBuf {
    built().join(format!("{name}.wasm"))
}

/// Tests a hook by these cases, without settings.
fn test(component: &Path, cases: &[(&str, &str)], more: &[&str]) -> Ran {
    let dir = tempfile::tempdir().unwrap();
    for (name, case) in cases {
        fs::write(dir.path().join(format!("{name}.toml")), case).unwrap();
    }
    let mut command = portcullis(&["test", "--component", text(component)]);
    command.args(["--cases", text(dir.path()), "--settings", text(dir.path())]);
    run(command.args(more))
}

/// Returns the events of the only case that was run.
fn events(ran: &Ran) -> Vec<Value> {
    let case = ran.json()["cases"][0].clone();
    let events = case["trace"]["events"].as_array();
    events.unwrap_or_else(|| panic!("{ran:?}")).clone()
}

/// Returns the calls of imports, as `interface.function`.
fn calls(ran: &Ran) -> Vec<String> {
    let name = |event: &Value| {
        let part = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
        format!("{}.{}", part("interface"), part("function"))
    };
    let events = events(ran);
    let calls = events.iter().filter(|event| event["event"] == "call");
    calls.map(name).collect()
}

const REFUSES: &str = "point = \"pre-turn\"
views.content = \"please frobnicate it\"
config.patterns = ['frobnicate']
[expect]
outcome = \"reject\"
";

#[test]
fn one_case_is_chosen_by_its_name() {
    let cases = [("refuses", REFUSES), ("refuses-too", REFUSES)];
    let ran = test(
        &rust("input-guardrail"),
        &cases,
        &["--case", "refuses", "--json"],
    );
    assert_eq!(ran.json()["cases"].as_array().unwrap().len(), 1, "{ran:?}");
    assert!(ran.json()["cases"][0].get("trace").is_none(), "{ran:?}");
    let ran = test(&rust("input-guardrail"), &cases, &["--case", "refuse"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("did you mean `refuses`?"), "{ran:?}");
}

#[test]
fn calls_log_lines_and_the_verdict_are_shown_in_their_order() {
    let component = rust("input-guardrail");
    let ran = test(&component, &[("refuses", REFUSES)], &["--trace", "--json"]);
    let events = events(&ran);
    let at = |key: &str, value: &str| {
        let found = events.iter().position(|event| event[key] == value);
        found.unwrap_or_else(|| panic!("no {value}: {events:#?}"))
    };
    let (seen, log, answer) = (
        at("interface", "portcullis:hooks/content"),
        at("event", "log"),
        at("interface", "portcullis:hooks/pre-turn-answer"),
    );
    assert!(seen < answer && log < events.len(), "{events:#?}");
    assert!(events[seen]["returned"].to_string().contains("frobnicate"));
    assert!(events[seen]["fuel"].as_u64() > Some(0), "{events:#?}");
    let arguments = events[answer]["arguments"].to_string();
    assert!(arguments.contains("blocked-input"), "{arguments}");
    // The fuel between the calls adds up to no more than the whole call's.
    let fuel: u64 = events
        .iter()
        .filter_map(|event| event["fuel"].as_u64())
        .sum();
    assert!(
        Some(fuel) <= ran.json()["cases"][0]["fuel"].as_u64(),
        "{fuel} {ran:?}"
    );
    let shown = test(&component, &[("refuses", REFUSES)], &["--trace"]);
    for said in [
        "content.",
        "→",
        "log warn: blocked a turn",
        "verdict",
        "\"reject\"",
    ] {
        assert!(shown.out.contains(said), "no {said} in:\n{}", shown.out);
    }
    let (outcome, details) = (
        shown.out.find("outcome \"reject\""),
        shown.out.find("rejection {"),
    );
    assert!(outcome.is_some() && outcome < details, "{}", shown.out);
}

#[test]
fn a_request_is_traced_with_what_wasi_is_called_for() {
    let case = "point = \"pre-tool-call\"
input.name = \"write_file\"
views.tool-data.input = { path = \"a\" }
config.url = \"https://policy.example.com/v1\"
[[http]]
url = \"https://policy.example.com/v1\"
json = { result = { allow = true } }
[expect]
outcome = \"continue\"
";
    let ran = test(
        &rust("policy-server"),
        &[("asks", case)],
        &["--trace", "--json"],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let calls = calls(&ran);
    let wasi = "wasi:http/outgoing-handler.handle".to_owned();
    assert!(calls.contains(&wasi), "{calls:#?}");
    let events = events(&ran);
    let request = events.iter().find(|event| event["event"] == "request");
    let request = &request.expect("a request")["request"];
    assert_eq!(request["url"], "https://policy.example.com/v1", "{request}");
    assert_eq!(request["status"], 200, "{request}");
}

#[test]
fn a_change_is_shown_field_by_field() {
    let case = "point = \"pre-tool-call\"
input.name = \"search\"
views.tool-data.input = { query = \"x\", limit = 500 }
config.search.limit = { default = 10, max = 50 }
[expect]
outcome = \"transform\"
";
    let component = project("argument-defaults");
    let ran = test(&component, &[("javascript", case)], &["--trace", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let changes = ran.json()["cases"][0]["trace"]["changes"].clone();
    let change =
        serde_json::json!([{"path": "value.limit", "expected": 500, "got": 50, "hint": null}]);
    assert_eq!(changes, change, "{ran:?}");
    assert!(
        calls(&ran).contains(&"portcullis:hooks/tool-data.input".to_owned()),
        "{ran:?}"
    );
}

#[test]
fn hooks_in_c_and_typescript_are_traced() {
    let masks = "point = \"llm-delta\"
input = { kind = \"text\", index = 0, last = true }
views.content = \"The code is HUNTER2, I think.\"
config.words = [\"hunter2\"]
grants.state = true
[expect]
outcome = \"transform\"
";
    let asks = "point = \"pre-tool-call\"
input.name = \"run_command\"
views.tool-data.input = { command = \"rm -rf /\" }
[expect]
outcome = \"reject\"
";
    for (hook, case, call) in [
        (
            "keyword-filter",
            masks,
            "portcullis:hooks/llm-delta-answer.transform",
        ),
        ("shell-linter", asks, "portcullis:hooks/tool-data.input"),
    ] {
        let ran = test(&project(hook), &[("case", case)], &["--trace", "--json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let calls = calls(&ran);
        assert!(calls.contains(&call.to_owned()), "{hook}: {calls:#?}");
    }
}

/// Returns the book's example hook that gives a secret to a tool.
fn key_giver() -> PathBuf {
    built();
    xtask::root().join("target/book-hooks/key-giver.wasm")
}

const WEATHER: &str = "point = \"pre-tool-call\"
input.name = \"weather\"
views.tool-data.input = { place = \"Oslo\" }
";

#[test]
fn the_secret_of_a_case_is_in_no_trace() {
    let case = format!(
        "{WEATHER}secrets.WEATHER_KEY = \"mock-key-123\"\n[expect]\noutcome = \"transform\"\n\
         value = '{{\"key\":\"mock-key-123\",\"place\":\"Oslo\"}}'\n"
    );
    for more in [&["--trace"][..], &["--trace", "--json"]] {
        let ran = test(&key_giver(), &[("gives", &case)], more);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("[secret WEATHER_KEY]"), "{ran:?}");
        assert!(!ran.out.contains("mock-key-123"), "{ran:?}");
    }
}

#[test]
fn the_secret_of_a_case_is_in_no_difference() {
    let case = format!(
        "{WEATHER}secrets.WEATHER_KEY = \"mock-key-123\"\n[expect]\noutcome = \"transform\"\n\
         value = '{{\"key\":\"mock-key-123\",\"place\":\"Bergen\"}}'\n"
    );
    for more in [&[][..], &["--json"]] {
        let ran = test(&key_giver(), &[("gives", &case)], more);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.contains("[secret WEATHER_KEY]"), "{ran:?}");
        assert!(!ran.out.contains("mock-key-123"), "{ran:?}");
    }
}

#[test]
fn a_real_secret_is_not_read() {
    const VARIABLE: &str = "PORTCULLIS_TEST_WEATHER_KEY";
    let dir = tempfile::tempdir().unwrap();
    let cases = dir.path().join("tests");
    fs::create_dir(&cases).unwrap();
    fs::write(cases.join("gives.toml"), WEATHER).unwrap();
    let settings = format!(
        "[secrets]\nWEATHER_KEY = {{ env = \"{VARIABLE}\" }}\n\
         [hooks.key-giver.grants]\nsecrets = [\"WEATHER_KEY\"]\n"
    );
    fs::write(dir.path().join("hooks.toml"), settings).unwrap();
    let component = key_giver();
    let mut command = portcullis(&["test", "--component", text(&component), "--trace"]);
    command.args(["--cases", text(&cases), "--settings", text(dir.path())]);
    let ran = run(command.env(VARIABLE, "the-real-key"));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let fix = "write it: [secrets] WEATHER_KEY = ";
    assert!(ran.out.contains(fix), "{ran:?}");
    assert!(!ran.out.contains("the-real-key"), "{ran:?}");
}
