//! Progress on a standard error that is not a terminal.

use crate::support::{bare, directory, run, text};

#[test]
fn what_is_compiled_has_a_line_and_what_is_in_the_cache_has_none() {
    let hooks = directory(&["path-jail", "canned-answer"], "");
    let cache = tempfile::tempdir().expect("a directory");
    let list = || {
        let hooks = ["hooks", "list", "--hooks", text(hooks.path())];
        let ran = run(bare(&hooks).args(["--cache-dir", text(&cache.path().join("cache"))]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.err
    };
    let first = list();
    // Two are compiled at once.
    for told in [
        "compiling hooks 1/2: ",
        "compiling hooks 2/2: ",
        ": path-jail.wasm\n",
        ": canned-answer.wasm\n",
    ] {
        assert_eq!(first.matches(told).count(), 1, "{told:?} in\n{first}");
    }
    assert_eq!(first.lines().count(), 2, "{first}");
    assert_eq!(list(), "");
}

#[test]
fn a_file_that_is_inspected_is_one_of_one() {
    let hooks = directory(&["path-jail"], "");
    let cache = hooks.path().join("cache");
    let file = hooks.path().join("path-jail.wasm");
    let inspect = ["hooks", "inspect", text(&file)];
    let ran = run(bare(&inspect).args(["--cache-dir", text(&cache)]));
    assert_eq!(ran.err, "compiling hooks 1/1: path-jail.wasm\n");
}

#[test]
fn many_steps_have_a_few_lines() {
    let ran = run(&mut bare(&["attack", "--only", "traps", "--json"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let all = ran.json().as_array().expect("a list").len();
    let lines = ran
        .err
        .lines()
        .filter(|line| line.starts_with("attacking "));
    let lines: Vec<&str> = lines.collect();
    assert!((1..=20).contains(&lines.len()), "{}", ran.err);
    let first = format!("attacking 1/{all}: ");
    assert!(lines[0].starts_with(&first), "{}", ran.err);
}
