//! `portcullis conform`: checks of a hook's reliability.

use serde_json::Value;

use crate::support::{all, built, directory, ids, portcullis, run, text};

#[test]
fn the_examples_conform() {
    let dir = all();
    // One asks a server that is not there, and the demo does not configure the others.
    for hook in [
        "flaky.wasm",
        "llm-judge.wasm",
        "policy-server.wasm",
        "untrusted-content.wasm",
    ] {
        std::fs::remove_file(dir.path().join(hook)).unwrap();
    }
    let ran = run(&mut portcullis(&["conform", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(!ran.err.contains("WARN"), "{}", ran.err);
    let all_but_those = format!("{} hooks without errors", ids().len() - 4);
    for said in [
        all_but_those.as_str(),
        "path-jail",
        "fails closed",
        "pre-tool-call",
        "not reached no input led to `reject` at ",
        "a file such as tests/",
        "inputs: generated from the contract; test cases are not used",
    ] {
        assert!(ran.out.contains(said), "no `{said}` in:\n{}", ran.out);
    }
}

#[test]
fn limits_are_provoked_and_the_policy_holds() {
    let file = built().join("path-jail.wasm");
    let empty = tempfile::tempdir().unwrap();
    let mut command = portcullis(&["conform", text(&file), "--json"]);
    let ran = run(command.args(["--settings", text(empty.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    let point = &report[0]["points"][0];
    assert_eq!(point["point"], "pre-tool-call");
    assert_eq!(point["on-failure"], "refused");
    // No generated input has a path that the hook must refuse.
    assert!(
        point["not-reached"].to_string().contains("reject"),
        "{point:#}"
    );
    let provoked = point["provoked"].as_array().unwrap();
    let cause = |limit: &str| {
        let found = provoked.iter().find(|provoked| provoked["limit"] == limit);
        found.unwrap()["cause"].clone()
    };
    assert_eq!(cause("fuel"), "fuel");
    assert_eq!(cause("memory-bytes"), "memory");
    assert!(["deadline".into(), Value::Null].contains(&cause("deadline-ms")));
    let inputs: Vec<&str> = point["tried"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tried| tried["input"].as_str().unwrap())
        .collect();
    assert_eq!(point["tried"][0]["outcome"], "continue", "{point:#}");
    for input in [
        "ordinary",
        "empty",
        "huge texts",
        "unusual characters",
        "10,000 messages",
    ] {
        assert!(inputs.contains(&input), "{inputs:?}");
    }
}

#[test]
fn a_hook_that_traps_does_not_conform() {
    let dir = directory(
        &["flaky"],
        "[hooks.flaky.config]\nfail_on = 1\nhow = \"panic\"\n",
    );
    let ran = run(&mut portcullis(&["conform", text(dir.path())]));
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    assert!(ran.out.contains("1 of 1 hook with errors"), "{}", ran.out);
    assert!(ran.out.contains("trap"), "{}", ran.out);
}

#[test]
fn an_answer_that_an_input_led_to_is_reached() {
    let dir = directory(
        &["input-guardrail"],
        "[hooks.input-guardrail.config]\npatterns = ['.']\n",
    );
    let ran = run(&mut portcullis(&["conform", text(dir.path()), "--json"]));
    let report = ran.json();
    assert_eq!(
        report[0]["points"][0]["not-reached"],
        Value::Array(vec![]),
        "{report:#}"
    );
}

#[test]
fn a_hook_that_answers_what_its_role_forbids_does_not_conform() {
    // The hook refuses, and its role `observe` does not allow that.
    let settings = "[hooks.input-guardrail]\nrole = \"observe\"\nfailure = \"fail-open\"\n\
                    [hooks.input-guardrail.config]\npatterns = ['hello']\n";
    let dir = directory(&["input-guardrail"], settings);
    let ran = run(&mut portcullis(&["conform", text(dir.path()), "--json"]));
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let faults = ran.json()[0]["points"][0]["faults"].to_string();
    assert!(faults.contains("bad-output"), "{faults}");
}

#[test]
fn a_directory_without_components_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(&mut portcullis(&["conform", text(dir.path())]));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("there is no component in"), "{}", ran.err);
}

#[test]
fn a_hook_that_fails_with_ordinary_input_does_not_conform() {
    let dir = directory(
        &["input-guardrail"],
        "[hooks.input-guardrail.config]\npatterns = [\"[\"]\n",
    );
    let ran = run(&mut portcullis(&["conform", text(dir.path())]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = ran.out.replace(['\n', ' '], "");
    assert!(said.contains("ordinaryinput"), "{}", ran.out);
}

#[test]
fn the_hooks_of_a_directory_are_tried_although_one_does_not_load() {
    let dir = directory(&["path-jail"], "");
    std::fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    std::fs::write(dir.path().join("zero.wasm"), b"").unwrap();
    let people = run(&mut portcullis(&["conform", text(dir.path())]));
    assert_eq!(people.code, Some(1), "{people:?}");
    for file in ["empty.wasm", "zero.wasm"] {
        assert!(people.err.contains(file), "{}", people.err);
    }
    assert!(
        people.out.contains("1 hook without errors"),
        "{}",
        people.out
    );
    assert!(people.out.contains("2 components"), "{}", people.out);
    let ran = run(&mut portcullis(&["conform", text(dir.path()), "--json"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let listed = ran.json();
    assert_eq!(listed.as_array().map(Vec::len), Some(3), "{listed}");
    assert_eq!(listed[0]["hook"], "path-jail", "{listed}");
    assert!(
        listed[1]["error"].as_str().unwrap().contains("empty"),
        "{listed}"
    );
}

#[test]
fn a_project_and_a_component_are_named_as_for_other_commands() {
    let file = built().join("path-jail.wasm");
    let empty = tempfile::tempdir().unwrap();
    let of = |arguments: &[&str]| {
        let mut command = portcullis(&["conform", "--json"]);
        let ran = run(command.args(arguments).current_dir(empty.path()));
        (ran.code, ran.err)
    };
    let settings = ["--settings", text(empty.path())];
    let component = ["--component", text(&file), settings[0], settings[1]];
    let (code, err) = of(&component);
    assert_eq!(code, Some(0), "{err}");
    let (code, err) = of(&[]);
    assert_eq!(code, Some(1));
    assert!(
        err.contains("there is no component in ., and no project"),
        "{err}"
    );
    let (code, err) = of(&[text(&file), "--component", text(&file)]);
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn settings_under_a_misspelt_name_are_not_ignored() {
    let file = built().join("path-jail.wasm");
    let dir = tempfile::tempdir().unwrap();
    let settings = dir.path().join("hooks.toml");
    std::fs::write(&settings, "[hooks.path-jial.limits]\nfuel = 1\n").unwrap();
    let mut command = portcullis(&["conform", text(&file), "--settings", text(dir.path())]);
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for told in [
        "hooks.toml:1 ",
        "there is no hook `path-jial`",
        "did you mean `path-jail`?",
    ] {
        assert!(ran.err.contains(told), "no `{told}` in:\n{}", ran.err);
    }
}
