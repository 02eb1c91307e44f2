//! Damaged blocks of recorded calls: the other blocks are read, and the report counts the calls in
//! the damaged ones.

use std::path::Path;

use serde_json::Value;

use super::{case_from, recorded, refused, replay};
use crate::support::built;

const FIX: &str = "; restore the store from a backup";

/// Changes a store from outside.
pub(super) fn change(store: &Path, sql: &str) {
    let database = rusqlite::Connection::open(store).unwrap();
    database.execute_batch(sql).unwrap();
}

#[test]
fn a_damaged_block_is_counted_and_the_others_are_made_again() {
    let (_dir, store) = recorded();
    let component = built().join("input-guardrail.wasm");
    let whole = replay(&store, &component, &["--json"]).json();
    change(
        &store,
        "INSERT INTO recordings
             (host, number, first_ms, last_ms, calls, bytes, raw, hooks, data, session)
         SELECT host, -number, first_ms, last_ms, 3, bytes, raw, '[\"input-guardrail\"]',
                substr(data, 1, 100), session
         FROM recordings LIMIT 1",
    );
    let ran = replay(&store, &component, &["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    for key in ["replayed", "identical", "fuel"] {
        assert_eq!(report[key], whole[key], "{report:#}");
    }
    let count = |report: &Value| report["calls"].as_u64().unwrap();
    assert_eq!(count(&report), count(&whole) + 3);
    let skipped = report["not-replayed"].as_object().unwrap();
    let is_damage = |why: &str| why.starts_with("the recording is damaged: ") && why.contains(FIX);
    let damaged = skipped.iter().find(|(why, _)| is_damage(why));
    assert_eq!(damaged.unwrap().1, 3, "{report:#}");
    let shown = replay(&store, &component, &[]);
    let said = "3 calls not made again: the recording is damaged: ";
    assert!(shown.out.contains(said), "{}", shown.out);
    // The damaged calls began before this time.
    let ran = replay(&store, &component, &["--since", "2100-01-01"]);
    assert!(ran.err.contains("change --since or --until"), "{ran:?}");

    // Calls in other blocks can be read. A call that is not found may be in the damaged block.
    let id = &refused(&store, "input-guardrail", "blocked-input")[0];
    assert_eq!(case_from(&store, id).code, Some(0));
    let (host, _) = id.split_once('.').unwrap();
    for (id, is_of_host) in [
        (format!("{host}.999999"), true),
        ("9.999999".to_owned(), false),
    ] {
        let ran = case_from(&store, &id);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert_eq!(ran.err.contains(FIX), is_of_host, "{ran:?}");
    }
}

#[test]
fn a_call_that_is_asked_for_and_damaged_is_an_error_with_a_fix() {
    let (_dir, store) = recorded();
    change(&store, "UPDATE recordings SET data = substr(data, 1, 100)");
    let id = &refused(&store, "input-guardrail", "blocked-input")[0];
    let component = built().join("input-guardrail.wasm");
    for (ran, what) in [
        (case_from(&store, id), format!("the run {id}")),
        (
            replay(&store, &component, &[]),
            "none of the recorded calls of `input-guardrail`".to_owned(),
        ),
    ] {
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for said in [what.as_str(), "the recording is damaged: ", FIX] {
            assert!(ran.err.contains(said), "{ran:?}");
        }
    }
}
