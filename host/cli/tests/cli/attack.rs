//! `portcullis attack`: the kit on the command line.

use serde_json::Value;

use crate::support::{bare, built, directory, run};

#[test]
fn a_row_says_what_was_expected_and_what_came_of_it() {
    let ran = run(&mut bare(&["attack", "--only", "traps", "--json"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = ran.json();
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() > 10);
    let row = rows
        .iter()
        .find(|row| row["name"] == "division-by-zero")
        .expect("the row");
    assert_eq!(row["expected"], "refused");
    assert_eq!(row["got"], "refused");
    assert_eq!(row["cause"], "trap");
    assert_eq!(row["ok"], true);
    assert!(row["micros"].is_u64());
}

#[test]
fn what_a_hook_prints_is_not_printed() {
    let ran = run(&mut bare(&[
        "attack",
        "--only",
        "forged-json-rpc",
        "--json",
    ]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The output is one JSON document, without any text of an attack.
    let rows = ran.json();
    assert_eq!(rows.as_array().map(Vec::len), Some(1));
    assert_eq!(rows[0]["cause"], Value::Null);
    assert!(!ran.out.contains("jsonrpc"), "{}", ran.out);
    assert!(!ran.err.contains("jsonrpc"), "{}", ran.err);
}

#[test]
fn a_whole_name_is_that_of_one_attack_and_a_part_is_that_of_many() {
    let count = |only: &str| {
        let ran = run(&mut bare(&["attack", "--only", only, "--json"]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json().as_array().map_or(0, Vec::len)
    };
    // There is `endless-loop-by-fuel` too.
    for name in ["endless-loop", "cpu::endless-loop"] {
        assert_eq!(count(name), 1, "{name}");
    }
    assert!(count("endless-loop-by") > 1);
}

#[test]
fn a_hook_of_the_users_stands_beside_the_attacks() {
    let hook = built().join("path-jail.wasm");
    let dir = directory(&[], "[hooks.path-jail.config]\nmode = \"rewrite\"\n");
    let ran = run(bare(&["attack", "--only", "endless-loop", "--json"])
        .arg("--hook")
        .arg(&hook)
        .arg("--hooks")
        .arg(dir.path()));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn limits_that_let_an_attack_through_are_shown() {
    // Within a limit of four gigabytes, growing to the end is allowed.
    let settings = "[defaults.limits]\nmemory-bytes = 4_294_967_296\n";
    let dir = directory(&[], settings);
    let ran = run(bare(&["attack", "--only", "grow-to-the-end"])
        .arg("--hooks")
        .arg(dir.path()));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.out.contains("`survived`, and not `refused`"),
        "{}",
        ran.out
    );
}

#[test]
fn an_attack_that_is_not_there_is_named() {
    let ran = run(&mut bare(&["attack", "--only", "nonesuch"]));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("there is no attack or group `nonesuch`"),
        "{}",
        ran.err
    );
}
