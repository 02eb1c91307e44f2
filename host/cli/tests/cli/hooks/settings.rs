//! Faults of `hooks.toml`, as `portcullis hooks check` names them.

use std::fs;
use std::path::Path;

use super::check::{found, problems};
use crate::support::{built, directory, portcullis, run, text};

#[test]
fn check_continues_after_bad_settings() {
    let dir = directory(&["flaky"], "[hooks.flaky]\npriorty = 3\nenabled = true\n");
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let problems = problems(dir.path());
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
fn check_finds_every_badly_typed_value_and_scripts_without_a_program() {
    let check = |settings: &str| {
        let dir = directory(&[], settings);
        problems(dir.path())
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
    // If hooks.toml cannot be read, grants and configurations are not checked.
    fs::write(dir.path().join("hooks.toml"), "[hooks.audit-log\n").unwrap();
    fs::write(dir.path().join("empty.wasm"), b"").unwrap();
    let problems = found(dir.path());
    let places: Vec<&str> = problems.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(places, ["1", "empty.wasm"], "{problems:#?}");
}

#[test]
fn a_table_whose_file_is_gone_is_told_from_a_misspelt_one() {
    let settings = "[hooks.path-jail]\n[hooks.path-guard]\n";
    let problem = |dir: &Path| {
        let ran = run(&mut portcullis(&["hooks", "check", "--hooks", text(dir)]));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.out
    };
    // The only hook with a similar name has a table itself.
    let dir = directory(&["path-jail"], settings);
    let said = problem(dir.path());
    for part in ["did you mean `path-jail`?", "portcullis remove path-guard"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // No hook has a similar name.
    let dir = directory(&["path-jail"], "[hooks.path-jail]\n[hooks.words]\n");
    let said = problem(dir.path());
    for part in ["its file is gone", "portcullis remove words"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    assert!(!said.contains("did you mean"), "{said}");
    // The table may be meant for the hook without one.
    let dir = directory(&["path-jail"], "[hooks.path-jial]\n");
    let said = problem(dir.path());
    for part in ["did you mean `path-jail`?", "portcullis remove path-jial"] {
        assert!(said.contains(part), "no `{part}` in:\n{said}");
    }
    // A pinned hook's name is not reported as a misspelling.
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
    // A file that changed is not missing, even under another name.
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
