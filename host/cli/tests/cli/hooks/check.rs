//! `portcullis hooks check`: the faults of a whole directory.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::FLAKY;
use crate::support::{all, built, directory, portcullis, run, text};

#[test]
fn check_finds_nothing_wrong_with_the_examples() {
    let dir = all();
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!((ran.code, ran.json()), (Some(0), json!([])), "{ran:?}");
}

#[test]
fn check_names_file_cause_and_fix_of_every_error() {
    let dir = directory(
        &["flaky", "audit-log"],
        "[hooks.flaky]\nfailure = \"fail-open\"\n[hooks.flaky.config]\nfail_on = 1\nhow = \"error\"\n",
    );
    let whole = fs::read(built().join("flaky.wasm")).unwrap();
    for (name, bytes) in [
        ("empty.wasm", &b""[..]),
        ("module.wasm", b"\0asm\x01\0\0\0"),
        ("native.wasm", b"\x7fELF\x02\x01\x01\0"),
        ("script.wasm", b"#!/bin/sh\necho hello\n"),
        ("truncated.wasm", &whole[..whole.len() / 2]),
        ("twin.wasm", &whole),
    ] {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    fs::create_dir(dir.path().join("folder.wasm")).unwrap();
    let problems = problems(dir.path());
    let problems = problems.as_array().unwrap();
    for (file, cause, fix) in [
        ("audit-log.wasm", "not granted", "events = true"),
        ("empty.wasm", "empty", "Copy it again"),
        ("folder.wasm", "not a regular file", "hooks directory"),
        ("module.wasm", "core wasm module", "wasm32-wasip2"),
        ("native.wasm", "native code", "wasm32-wasip2"),
        ("script.wasm", "not WebAssembly", "wasm32-wasip2"),
        ("truncated.wasm", "not a valid component", "copy it again"),
        ("twin.wasm", "has the id `flaky`", "remove one"),
    ] {
        let of_file = |problem: &&Value| problem["file"].as_str().unwrap().ends_with(file);
        let found: Vec<&Value> = problems.iter().filter(of_file).collect();
        assert!(
            found
                .iter()
                .any(|problem| problem["cause"].as_str().unwrap().contains(cause)
                    && problem["fix"].as_str().unwrap().contains(fix)),
            "{file}: {found:?}"
        );
    }
    assert_eq!(problems.len(), 8, "{problems:#?}");
    let people = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(people.code, Some(1));
    assert!(people.out.contains("8 problems"), "{}", people.out);
}

/// Returns the problems that `hooks check --json` finds; there must be some.
pub(super) fn problems(dir: &Path) -> Value {
    let check = ["hooks", "check", "--hooks", text(dir), "--json"];
    let ran = run(&mut portcullis(&check));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    ran.json()
}

/// Returns the line or else the file name of each problem, with the cause and the fix.
pub(super) fn found(dir: &Path) -> Vec<(String, String)> {
    let place = |problem: &Value| match problem["line"].as_u64() {
        Some(line) => line.to_string(),
        None => {
            let file = Path::new(problem["file"].as_str().unwrap()).file_name();
            file.unwrap().to_str().unwrap().to_owned()
        }
    };
    let problems = problems(dir);
    let problems = problems.as_array().unwrap().iter();
    problems
        .map(|problem| {
            (
                place(problem),
                format!("{}; {}", problem["cause"], problem["fix"]),
            )
        })
        .collect()
}

#[test]
fn check_finds_faults_of_every_kind_in_one_go() {
    let dir = directory(&["flaky", "audit-log", "llm-judge", "path-jail"], "");
    let locked = run(&mut portcullis(&[
        "hooks",
        "lock",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(locked.code, Some(0), "{locked:?}");
    fs::copy(
        built().join("cost-tracker.wasm"),
        dir.path().join("path-jail.wasm"),
    )
    .unwrap();
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let settings = "[unnamed]\nload = \"trusted\"\n[turn]\nfeul = 3\nhooks-ms = 0\n\
        [engine]\ntick-ms = \"x\"\n[hooks.path-jial]\n[hooks.llm-judge.config]\ntols = []\nrules = 3\n\
        [hooks.flaky]\nafter = [\"audit-lg\"]\n[secrets]\nKEY = {}\n\
        [scripts.a]\ncommand = [\"no-such-program\"]\npoints = [\"pre-turn\"]\n";
    fs::write(dir.path().join("hooks.toml"), settings).unwrap();
    let problems = found(dir.path());
    for (place, words) in [
        ("4", "did you mean `fuel`?"),
        ("5", "must be from 1"),
        ("7", "`tick-ms`: must be a whole number"),
        ("8", "did you mean `path-jail`?"),
        ("9", "`config.tools` is missing"),
        ("10", "did you mean `tools`?"),
        ("11", "not of type"),
        ("13", "did you mean `audit-log`?"),
        ("15", "must say where it is"),
        ("17", "in no directory of PATH"),
        ("audit-log.wasm", "events = true"),
        ("flaky.wasm", "requires a configuration"),
        ("llm-judge.wasm", "model = {"),
        ("path-jail.wasm", "hooks.lock"),
        ("path-jail.wasm", "shared-state"),
        ("path-jail.wasm", "requires a configuration"),
        ("empty.wasm", "empty"),
    ] {
        assert!(
            problems
                .iter()
                .any(|(at, said)| at == place && said.contains(words)),
            "{place}: {words}\n{problems:#?}"
        );
    }
    // Errors that follow from another error are left out.
    assert_eq!(problems.len(), 17, "{problems:#?}");
}

#[test]
fn a_broken_hook_is_skipped_only_if_that_is_said() {
    let dir = directory(&["flaky"], FLAKY);
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let strict = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert_eq!(strict.code, Some(1));
    assert!(strict.err.contains("empty.wasm"), "{}", strict.err);
    let skipping = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
        "--skip-broken",
    ]));
    assert_eq!(skipping.code, Some(0), "{skipping:?}");
    assert!(skipping.out.contains("flaky"));
    assert!(skipping.err.contains("empty.wasm"), "{}", skipping.err);
}
