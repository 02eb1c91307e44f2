//! `portcullis bench`: a hook's cost.

use std::fs;

use crate::support::{built, portcullis, run, text};

#[test]
fn everything_is_measured_and_set_against_a_native_hook() {
    let (small, other) = (
        built().join("canned-answer.wasm"),
        built().join("audit-log.wasm"),
    );
    let empty = tempfile::tempdir().unwrap();
    let mut command = portcullis(&[
        "bench",
        text(&small),
        text(&other),
        "--calls",
        "40",
        "--json",
    ]);
    let ran = run(command.args(["--settings", text(empty.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = ran.json();
    assert_eq!(rows.as_array().map(Vec::len), Some(2), "{rows}");
    for (row, file) in [(&rows[0], &small), (&rows[1], &other)] {
        assert_eq!(row["bytes"], file.metadata().unwrap().len());
        let number = |key: &str| {
            row[key]
                .as_f64()
                .unwrap_or_else(|| panic!("no {key}: {row}"))
        };
        for key in ["warm-p50-ns", "native-p50-ns", "fuel"] {
            assert!(number(key) > 0.0, "{key}: {row}");
        }
        // Compiling takes longer than loading from the cache, and the first call than a warm call.
        assert!(number("cold-ns") > number("cached-ns"), "{row}");
        assert!(number("first-ns") > number("warm-p50-ns"), "{row}");
        assert!(number("warm-p99-ns") >= number("warm-p50-ns"), "{row}");
        assert!(number("against-native") > 1.0, "{row}");
        if cfg!(target_os = "linux") {
            assert!(number("instance-bytes") > 0.0, "{row}");
        }
    }
}

#[test]
fn a_case_is_what_is_called() {
    let dir = tempfile::tempdir().unwrap();
    let case = "point = \"pre-turn\"\nviews.content = \"bad\"\nconfig.patterns = ['bad']\n";
    fs::write(dir.path().join("refuses.toml"), case).unwrap();
    let component = built().join("input-guardrail.wasm");
    let mut command = portcullis(&["bench", "--component", text(&component), "--calls", "40"]);
    let ran = run(command.args(["--cases", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for said in [
        "case refuses: reject",
        "cold start",
        "× a native hook's",
        "fuel",
    ] {
        assert!(ran.out.contains(said), "no `{said}` in:\n{}", ran.out);
    }
    assert!(!ran.out.contains("share its state"), "{}", ran.out);
}

#[test]
fn another_outcome_of_later_calls_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let case = "point = \"post-llm-call\"\nconfig = { fail_on = 1, how = \"reject\" }\n";
    fs::write(dir.path().join("refuses-once.toml"), case).unwrap();
    let component = built().join("flaky.wasm");
    let mut command = portcullis(&["bench", "--component", text(&component), "--calls", "40"]);
    let ran = run(command.args(["--cases", text(dir.path())]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told = "the first has the outcome `reject`, the last `continue`";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn a_case_is_chosen_as_for_test() {
    let dir = tempfile::tempdir().unwrap();
    let case = "point = \"pre-turn\"\nconfig.patterns = ['bad']\n";
    for name in ["refuses", "refuses-too"] {
        fs::write(dir.path().join(format!("{name}.toml")), case).unwrap();
    }
    let component = built().join("input-guardrail.wasm");
    for (option, name, told) in [
        ("--case", "refuses-too", Ok("case refuses-too:")),
        ("--case", "too", Err("there is no case `too`")),
        ("--filter", "too", Ok("case refuses-too:")),
    ] {
        let mut command = portcullis(&["bench", "--component", text(&component), "--calls", "40"]);
        let ran = run(command.args(["--cases", text(dir.path()), option, name]));
        match told {
            Ok(told) => assert!(ran.out.contains(told), "{option} {name}: {ran:?}"),
            Err(told) => assert!(ran.err.contains(told), "{option} {name}: {ran:?}"),
        }
    }
}

#[test]
fn what_cannot_be_measured_is_named() {
    let ran = run(&mut portcullis(&["bench", "--component", "no/such.wasm"]));
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("no/such.wasm"), "{}", ran.err);
    let component = built().join("flaky.wasm");
    let mut command = portcullis(&["bench", "--component", text(&component)]);
    let ran = run(command.args(["--case", "nonesuch"]));
    assert_eq!(ran.code, Some(1));
}
