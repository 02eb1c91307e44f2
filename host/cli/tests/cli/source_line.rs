//! The place of a hook's failure: the line in its source file, in every command that shows the
//! failure.

use std::fs;
use std::path::Path;

use crate::dev::{Running, replace};
use crate::support::{Ran, directory, portcullis, run, text};

const SETTINGS: &str = "[hooks.flaky.config]\nfail_on = 1\nhow = \"panic\"\n";

const CASE: &str = "point = \"post-llm-call\"\n[expect]\noutcome = \"continue\"\n";

const SCRIPT: &str = r#"{ "responses": [{ "text": "Hello." }] }"#;

/// Returns the place at which the hook `flaky` panics, as its failures name it.
fn place() -> String {
    let file = "example-hooks/flaky/src/lib.rs";
    let source = fs::read_to_string(xtask::root().join(file)).unwrap();
    let mut lines = source.lines();
    let line = lines.position(|line| line.contains("=> panic!(")).unwrap();
    format!("panicked at {file}:{}:", line + 1)
}

/// Returns the output of `dev` after a second run of the cases, up to this place.
fn dev(component: &Path, cases: &Path, place: &str) -> String {
    let component = ["--component", text(component), "--cases", text(cases)];
    let dev = Running::start(&mut portcullis(&[&["dev"][..], &component].concat()));
    // The list and the messages beside it come on two streams, and a line may be broken between
    // words.
    let file = place.rsplit(' ').next().unwrap();
    dev.until(&["waiting for a change", file]);
    replace(
        &cases.join("fails.toml"),
        format!("# Changed.\n{CASE}").as_bytes(),
    );
    dev.until(&["waiting for a change", file])
}

#[test]
fn every_command_that_shows_a_failure_has_the_line_of_the_hook() {
    let hooks = directory(&["flaky"], SETTINGS);
    let dir = tempfile::tempdir().unwrap();
    let (cases, script) = (dir.path().join("cases"), dir.path().join("script.json"));
    fs::create_dir(&cases).unwrap();
    fs::write(cases.join("fails.toml"), CASE).unwrap();
    fs::write(&script, SCRIPT).unwrap();
    let component = hooks.path().join("flaky.wasm");
    let script = format!("scripted:{}", text(&script));
    let store = format!("sqlite:{}", text(&dir.path().join("store.sqlite")));
    let shown = |arguments: &[&str]| {
        let Ran { out, err, .. } = run(&mut portcullis(arguments));
        format!("{out}\n{err}")
    };
    let hooks = text(hooks.path());
    let cases_of = ["--component", text(&component), "--cases", text(&cases)];
    let turn = ["--provider", &script, "--hooks", hooks, "--store", &store];
    let place = place();
    let table = [
        ("test", shown(&[&["test"][..], &cases_of].concat())),
        ("dev", dev(&component, &cases, &place)),
        (
            "run --trace",
            shown(&[&["run"][..], &turn, &["--trace", "Hi"]].concat()),
        ),
        ("runs", {
            let Ran { out, err, .. } = run(&mut crate::support::bare(&["runs", "--store", &store]));
            format!("{out}\n{err}")
        }),
        ("conform", shown(&["conform", hooks])),
    ];
    for (command, said) in table {
        // A terminal's width may break the line, between words.
        let words: Vec<&str> = said.split_whitespace().collect();
        assert!(
            words.join(" ").contains(&place),
            "{command} has no `{place}`:\n{said}"
        );
    }
}
