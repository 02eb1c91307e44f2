//! `portcullis hooks check`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::FLAKY;
use crate::support::{all, bare, built, directory, portcullis, run, text};

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
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(1));
    let problems = ran.json();
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

#[test]
fn check_continues_after_bad_settings() {
    let dir = directory(&["flaky"], "[hooks.flaky]\npriorty = 3\nenabled = true\n");
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir.path()),
        "--json",
    ]));
    assert_eq!(ran.code, Some(1));
    let problems = ran.json();
    assert_eq!(problems[0]["line"], 2, "{problems}");
    assert!(
        problems[0]["cause"]
            .as_str()
            .unwrap()
            .contains("unknown key `priorty`")
    );
    assert!(problems[0]["fix"].as_str().unwrap().contains("`priority`"));
    assert!(
        problems[1]["file"]
            .as_str()
            .unwrap()
            .ends_with("empty.wasm"),
        "{problems}"
    );
    let flaky = problems[2]["cause"].as_str().unwrap();
    assert!(flaky.contains("requires a configuration"), "{problems}");
    assert_eq!(problems.as_array().unwrap().len(), 3);
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

#[test]
fn a_missing_directory_is_named() {
    for command in ["list", "order", "check"] {
        let ran = run(&mut portcullis(&[
            "hooks",
            command,
            "--hooks",
            "no/such/directory",
        ]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("no/such/directory"), "{ran:?}");
        assert!(said.contains("name a directory that exists"), "{ran:?}");
    }
}

#[test]
fn a_missing_file_is_named() {
    for command in [["hooks", "inspect"], ["attack", "--hook"]] {
        let ran = run(bare(&command).arg("nope.wasm"));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for said in ["nope.wasm", "name a file that exists"] {
            assert!(ran.err.contains(said), "no {said} in\n{}", ran.err);
        }
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

#[test]
fn check_finds_every_badly_typed_value_and_scripts_without_a_program() {
    let check = |settings: &str| {
        let dir = directory(&[], settings);
        let ran = run(&mut portcullis(&[
            "hooks",
            "check",
            "--hooks",
            text(dir.path()),
            "--json",
        ]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.json()
    };
    let problems = check("[engine]\ntick-ms = \"x\"\n[turn]\nfuel = true\nhooks-ms = []\n");
    let lines: Vec<u64> = problems
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|problem| problem["line"].as_u64())
        .collect();
    assert_eq!(lines, [2, 4, 5], "{problems:#}");

    let script = "points = [\"pre-turn\"]\n";
    let problems = check(&format!(
        "[scripts.a]\ncommand = [\"no-such-program-here\"]\n{script}\
         [scripts.b]\ncommand = [\"./not-there.py\"]\n{script}\
         [scripts.c]\nenabled = false\ncommand = [\"./not-there.py\"]\n{script}"
    ));
    assert_eq!(problems.as_array().map(Vec::len), Some(2), "{problems:#}");
    assert_eq!(problems[0]["line"], 2, "{problems:#}");
    assert!(
        problems[0]["cause"]
            .as_str()
            .unwrap()
            .contains("in no directory of PATH")
    );
    assert!(problems[0]["fix"].as_str().unwrap().contains("install it"));
    assert_eq!(problems[1]["line"], 5, "{problems:#}");
    assert!(
        problems[1]["cause"]
            .as_str()
            .unwrap()
            .contains("does not exist")
    );
}

/// What `hooks check --json` finds: the line or else the name of the file, and the cause and the fix.
fn found(dir: &Path) -> Vec<(String, String)> {
    let ran = run(&mut portcullis(&[
        "hooks",
        "check",
        "--hooks",
        text(dir),
        "--json",
    ]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let place = |problem: &Value| match problem["line"].as_u64() {
        Some(line) => line.to_string(),
        None => {
            let file = Path::new(problem["file"].as_str().unwrap()).file_name();
            file.unwrap().to_str().unwrap().to_owned()
        }
    };
    let problems = ran.json();
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
    // What follows from another error is left out.
    assert_eq!(problems.len(), 17, "{problems:#?}");
}

#[test]
fn what_is_left_out_of_the_settings_has_no_errors_that_follow() {
    let settings = "[hooks.audit-log.grnts]\nevents = true\n[hooks.flaky.config]\nfail_on = 9\nhow = \"error\"\n";
    let dir = directory(&["flaky", "audit-log"], settings);
    let problems = found(dir.path());
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(
        problems[0].1.contains("did you mean `grants`?"),
        "{problems:#?}"
    );
    // Where nothing can be read, nothing is said of grants and configurations.
    fs::write(dir.path().join("hooks.toml"), "[hooks.audit-log\n").unwrap();
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let problems = found(dir.path());
    let places: Vec<&str> = problems.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["1", "empty.wasm"], "{problems:#?}");
}

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
fn a_file_for_a_directory_and_a_directory_for_a_file_are_told_apart() {
    let dir = directory(&["flaky"], FLAKY);
    let (file, settings) = (dir.path().join("flaky.wasm"), dir.path().join("hooks.toml"));
    for named in [text(&file), text(&settings)] {
        for command in [
            portcullis(&["hooks", "check"]),
            portcullis(&["hooks", "list"]),
            bare(&["attack"]),
        ] {
            let mut command = command;
            let ran = run(command.args(["--hooks", named]));
            let said = format!("{}{}", ran.out, ran.err);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(said.contains("a hooks directory is meant"), "{said}");
            assert!(
                said.contains(&format!("is in: {}\n", text(dir.path()))),
                "{said}"
            );
        }
    }
    let here = text(dir.path());
    for command in [
        &["hooks", "inspect", here][..],
        &["test", "--component", here],
    ] {
        let ran = run(&mut portcullis(command));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains("a component is meant"), "{}", ran.err);
    }
    let ran = run(&mut portcullis(&["check", "--agent", here]));
    assert!(ran.out.contains("agent.toml"), "{ran:?}");
}

#[test]
fn an_empty_directory_is_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let check = |more: &[&str]| {
        let mut ran = portcullis(&["hooks", "check", "--hooks", text(dir.path())]);
        run(ran.args(more))
    };
    let people = check(&[]);
    assert_eq!(people.code, Some(0), "{people:?}");
    assert!(!people.out.contains('✓'), "{}", people.out);
    assert!(people.out.contains("has no hooks"), "{}", people.out);
    let problems = check(&["--json"]).json();
    assert_eq!(problems[0]["level"], "warning", "{problems}");
    let listed = run(&mut portcullis(&[
        "hooks",
        "list",
        "--hooks",
        text(dir.path()),
    ]));
    assert!(listed.err.contains("has no hooks"), "{listed:?}");
}

#[test]
fn a_table_whose_file_is_gone_is_told_from_a_misspelt_one() {
    let settings = "[hooks.path-jail]\n[hooks.path-guard]\n";
    let problem = |dir: &Path| {
        let ran = run(&mut portcullis(&["hooks", "check", "--hooks", text(dir)]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.out
    };
    // The only hook that is like it has a table itself.
    let dir = directory(&["path-jail"], settings);
    let said = problem(dir.path());
    for part in ["did you mean `path-jail`?", "portcullis remove path-guard"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // No hook is like it.
    let dir = directory(&["path-jail"], "[hooks.path-jail]\n[hooks.words]\n");
    let said = problem(dir.path());
    for part in ["its file is gone", "portcullis remove words"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    assert!(!said.contains("did you mean"), "{said}");
    // A hook without a table may be meant.
    let dir = directory(&["path-jail"], "[hooks.path-jial]\n");
    let said = problem(dir.path());
    for part in ["did you mean `path-jail`?", "portcullis remove path-jial"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // What is pinned is not misspelt.
    let dir = directory(
        &["path-jail", "audit-log"],
        "[hooks.audit-log]\ngrants.events = true\n",
    );
    let lock = ["hooks", "lock", "--hooks", text(dir.path())];
    assert_eq!(run(&mut portcullis(&lock)).code, Some(0));
    fs::remove_file(dir.path().join("audit-log.wasm")).unwrap();
    let said = problem(dir.path());
    assert_eq!(
        said.matches("portcullis remove audit-log").count(),
        2,
        "{said}"
    );
    // A file that changed is not gone, whatever its name is.
    let dir = directory(&[], "[hooks.audit-log]\ngrants.events = true\n");
    let renamed = dir.path().join("renamed.wasm");
    fs::copy(built().join("audit-log.wasm"), &renamed).unwrap();
    let lock = ["hooks", "lock", "--hooks", text(dir.path())];
    assert_eq!(run(&mut portcullis(&lock)).code, Some(0));
    fs::copy(built().join("path-jail.wasm"), &renamed).unwrap();
    let said = problem(dir.path());
    assert!(said.contains("renamed.wasm"), "{said}");
    for part in ["its file is gone", "portcullis remove"] {
        assert!(!said.contains(part), "`{part}` in:\n{said}");
    }
    // Only an id is part of a command.
    let dir = directory(&["path-jail"], "[hooks.\"x; true\"]\n");
    let said = problem(dir.path());
    assert!(said.contains("remove the table"), "{said}");
    assert!(!said.contains("portcullis remove"), "{said}");
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
fn what_programs_read_of_the_settings_is_checked_too() {
    let settings =
        "[recording]\nredact = [\"(\"]\n[alerts]\nfile = \"../nofile.toml\"\n[hooks.path-jail]\n";
    // With and without another problem.
    for (more, others) in [("", 0), ("[hooks.path-jial]\n", 1)] {
        let dir = directory(&["path-jail"], &format!("{settings}{more}"));
        let check = |more: &[&str]| {
            let mut command = portcullis(&["hooks", "check", "--hooks", text(dir.path())]);
            run(command.args(more))
        };
        let ran = check(&["--json"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let problems = ran.json();
        let problems = problems.as_array().unwrap();
        assert_eq!(problems.len(), 2 + others, "{problems:#?}");
        for (line, cause) in [
            (2, "the rule `(` is no regular expression: unclosed group"),
            (4, "`file` in [alerts]: there is no file"),
        ] {
            let is_told = problems.iter().any(|problem| {
                problem["line"] == line && problem["cause"].as_str().unwrap().contains(cause)
            });
            assert!(is_told, "{line}: {cause}: {problems:#?}");
        }
        let shown = check(&[]);
        assert_eq!(shown.code, Some(1), "{shown:?}");
        assert!(shown.out.contains("unclosed group"), "{}", shown.out);
    }
}
