//! Cases that are written from recorded calls.

use std::fs;

use super::recorded;
use crate::support::{bare, built, portcullis, run, text};

/// A hook's name, its answer, and a key in the case of such a call.
const ANSWERED: [(&str, &str, &str); 8] = [
    ("path-jail", "transform", "value = "),
    ("output-guardrail", "transform", "[REDACTED:email]"),
    ("compaction-hints", "transform", "[expect.value]"),
    ("canned-answer", "answer", "[[expect.value]]"),
    ("canned-answer", "replace", "[[expect.value]]"),
    ("provider-fallback", "replace", "retry = "),
    ("human-approval", "ask", "[expect.ask]"),
    (
        "memory-tools",
        "contribute",
        "# The recording does not have `contributed`",
    ),
];

#[test]
fn a_case_expects_what_the_recording_has_of_the_result() {
    let (dir, store) = recorded();
    let url = format!("sqlite:{}", text(&store));
    for (hook, outcome, expected) in ANSWERED {
        let listed = run(&mut bare(&[
            "runs",
            "--store",
            &url,
            "--hook",
            hook,
            "--outcome",
            outcome,
            "--json",
        ]))
        .json();
        let id = format!("{}.{}", listed[0]["host"], listed[0]["id"]);
        let cases = dir.path().join(format!("{hook}-{outcome}"));
        let case = cases.join("recorded.toml");
        let wrote = run(&mut bare(&[
            "case",
            "from",
            &id,
            "--store",
            &url,
            "--out",
            text(&case),
        ]));
        assert_eq!(wrote.code, Some(0), "{wrote:?}");
        let written = fs::read_to_string(&case).unwrap();
        assert!(written.contains(expected), "{hook} {outcome}: {written}");
        let component = built().join(format!("{hook}.wasm"));
        let test = || {
            run(&mut portcullis(&[
                "test",
                "--component",
                text(&component),
                "--cases",
                text(&cases),
                "--update",
            ]))
        };
        let tested = test();
        assert_eq!(tested.code, Some(0), "{hook} {outcome}: {tested:?}");
        assert_eq!(fs::read_to_string(&case).unwrap(), written, "{tested:?}");
        // The missing key is added as the comment says.
        if written.contains("`contributed = ") {
            let named = written.replace("[expect]\n", "[expect]\ncontributed = \"\"\n");
            fs::write(&case, named).unwrap();
            let tested = test();
            assert_eq!(tested.code, Some(0), "{hook} {outcome}: {tested:?}");
            let updated = fs::read_to_string(&case).unwrap();
            assert!(
                updated.contains("expect.contributed.tools"),
                "{hook} {outcome}: {updated}"
            );
        }
    }
}
