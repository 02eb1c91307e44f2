//! Each kind of difference in the report.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis::recording::{ComponentSetup, InstanceCall, RecordedSetup};
use serde_json::json;

use super::*;
use crate::replay::report::{ReplayReport, report};

/// Returns a call that had this outcome.
fn call(outcome: Outcome) -> StoredCall {
    let setup = RecordedSetup {
        hook: "guard".into(),
        component: None,
        role: "gate".to_owned(),
        failure: "fail-closed".to_owned(),
        mode: "enforce".to_owned(),
        execution: "blocking".to_owned(),
        of: ComponentSetup {
            config: json!({}),
            limits: json!({}),
            grants: json!({}),
            isolation: json!("session"),
            views: Vec::new(),
            secrets: BTreeMap::new(),
            files: false,
        },
    };
    StoredCall {
        host: 3,
        id: 1041,
        at_ms: 0,
        session: "monday".into(),
        setup: Arc::new(setup),
        instance: InstanceCall::default(),
        point: "pre-tool-call".to_owned(),
        context: None,
        subject: Value::Null,
        views: BTreeMap::new(),
        world: World::default(),
        directories: Vec::new(),
        contents: Arc::default(),
        outcome,
        redacted: false,
        too_large: None,
    }
}

/// Returns an outcome of 1,000 units of fuel that took a millisecond.
fn outcome(status: Value) -> Outcome {
    Outcome {
        status,
        fuel: Some(1_000),
        micros: 1_000,
        ..Outcome::default()
    }
}

fn answer(kind: &str) -> Outcome {
    outcome(json!({ "completed": { "outcome": kind } }))
}

fn refusal(code: &str) -> Outcome {
    let rejection = json!({ "code": code, "reason": "It may not." });
    outcome(json!({ "completed": { "outcome": "reject", "rejection": rejection } }))
}

/// Returns a failure, which refuses if it is fatal.
fn failure(fatal: bool) -> Outcome {
    outcome(json!({ "failed": { "cause": "trap", "fatal": fatal, "message": "unreachable" } }))
}

fn options() -> ReplayOptions {
    ReplayOptions::new(PathBuf::from("guard.wasm"), "guard".into())
}

/// Returns the report of one call, and its JSON form.
fn reported(
    then: Outcome,
    now: Outcome,
    incomplete: bool,
    options: &ReplayOptions,
) -> (ReplayReport, Value) {
    let now = Now {
        outcome: now,
        world: World::default(),
        files: FileChanges::new(),
        missing: Vec::new(),
    };
    let compared = vec![compare(&call(then), now, incomplete, options)];
    let report = report("guard".to_owned(), "digest".to_owned(), compared, options);
    let json = serde_json::to_value(&report).unwrap();
    (report, json)
}

/// Returns the listed calls.
fn listed(json: &Value) -> &[Value] {
    json["differences"].as_array().unwrap()
}

#[test]
fn each_drift_of_a_result_has_its_count_and_its_name() {
    let passes = || answer("continue");
    let less_fuel = Outcome {
        fuel: Some(999),
        ..passes()
    };
    let changed_to = |text: &str| Outcome {
        value: Some(json!(text)),
        ..answer("transform")
    };
    let drifts = [
        (passes(), passes(), "identical"),
        (failure(true), failure(true), "identical"),
        (passes(), less_fuel, "same"),
        (passes(), refusal("no"), "newly-refused"),
        (passes(), answer("stop"), "newly-refused"),
        (passes(), failure(true), "newly-refused"),
        (refusal("no"), passes(), "newly-allowed"),
        (answer("stop"), answer("transform"), "newly-allowed"),
        (failure(true), failure(false), "newly-allowed"),
        (passes(), answer("transform"), "changed"),
        (passes(), failure(false), "changed"),
        (refusal("no"), refusal("never"), "changed"),
        (refusal("no"), failure(true), "changed"),
        (changed_to("a"), changed_to("b"), "changed"),
    ];
    for (then, now, name) in drifts {
        let told = format!("{then:?}, now {now:?}");
        let (report, json) = reported(then, now, false, &options());
        let results = [
            "identical",
            "same",
            "changed",
            "newly-refused",
            "newly-allowed",
        ];
        for result in results {
            let calls = usize::from(result == name);
            assert_eq!(json[result], calls, "{result}: {told}");
        }
        let is_same = ["identical", "same"].contains(&name);
        assert_eq!(report.is_same(), is_same, "{told}");
        let kinds: Vec<&Value> = listed(&json).iter().map(|it| &it["kind"]).collect();
        match is_same {
            true => assert!(kinds.is_empty(), "{told}"),
            false => assert_eq!(kinds, [name], "{told}"),
        }
    }
}

#[test]
fn a_call_is_listed_once_it_uses_more_fuel_than_the_percentage_allows() {
    for (fuel_percent, fuel, is_more) in [
        (10, 1_100, false),
        (10, 1_101, true),
        (0, 1_000, false),
        (0, 1_001, true),
        (50, 1_101, false),
        (u64::MAX, u64::MAX, false),
    ] {
        let options = ReplayOptions {
            fuel_percent,
            ..options()
        };
        let now = Outcome {
            fuel: Some(fuel),
            ..answer("continue")
        };
        let (report, json) = reported(answer("continue"), now, false, &options);
        let told = format!("{fuel} with {fuel_percent} %");
        assert_eq!(json["more-fuel"], usize::from(is_more), "{told}");
        assert_eq!(json["fuel"], json!({ "recorded": 1_000, "now": fuel }));
        let more: Vec<&Value> = listed(&json).iter().map(|it| &it["more-fuel"]).collect();
        match is_more {
            true => assert_eq!(more, [true], "{told}"),
            false => assert!(more.is_empty(), "{told}"),
        }
        assert!(report.is_same(), "the result is: {told}");
    }
}

#[test]
fn a_call_is_slower_if_it_takes_twice_as_long_and_a_millisecond_more() {
    for (times, micros, is_slower) in [
        (true, 3_000, false),
        (true, 3_001, true),
        (false, 9_000, false),
    ] {
        let options = ReplayOptions { times, ..options() };
        let now = Outcome {
            micros,
            ..answer("continue")
        };
        let (report, json) = reported(answer("continue"), now, false, &options);
        let told = format!("{micros} microseconds, compared: {times}");
        let counted = times.then(|| usize::from(is_slower));
        assert_eq!(
            json.get("slower"),
            counted.map(|n| json!(n)).as_ref(),
            "{told}"
        );
        let slower: Vec<Value> = listed(&json)
            .iter()
            .map(|it| json!([it["slower"], it["recorded"]["micros"], it["now"]["micros"]]))
            .collect();
        match is_slower {
            true => assert_eq!(slower, [json!([true, 1_000, micros])], "{told}"),
            false => assert!(slower.is_empty(), "{told}"),
        }
        assert_eq!(json["identical"], 1, "{told}");
        assert!(report.is_same(), "{told}");
    }
}

#[test]
fn a_call_without_those_before_it_is_counted_and_listed_as_incomplete() {
    for incomplete in [false, true] {
        let counted = usize::from(incomplete);
        let (report, json) = reported(
            answer("continue"),
            answer("continue"),
            incomplete,
            &options(),
        );
        assert_eq!(json["incomplete"], counted);
        assert!(listed(&json).is_empty(), "its result is the same");
        assert!(report.is_same());
        let (_, json) = reported(answer("continue"), refusal("no"), incomplete, &options());
        assert_eq!(json["incomplete"], counted);
        assert_eq!(json["differences"][0]["incomplete"], incomplete);
    }
}

#[test]
fn parts_that_the_hook_did_not_see_are_no_drift() {
    let changed_to = |value: Value| Outcome {
        value: Some(value),
        ..answer("transform")
    };
    let then = || changed_to(json!({ "model": "m", "messages": ["a"], "tools": ["read"] }));
    let same = changed_to(json!({ "model": "m", "messages": [], "tools": [] }));
    let drifts = [
        (same, "identical"),
        (
            changed_to(json!({ "model": "n", "messages": [], "tools": [] })),
            "changed",
        ),
        (
            changed_to(json!({ "model": "m", "messages": ["b"], "tools": [] })),
            "changed",
        ),
    ];
    for (now, name) in drifts {
        let told = format!("{now:?}");
        let (_, json) = reported(then(), now, false, &options());
        assert_eq!(json[name], 1, "{told}: {json:#}");
    }
}
