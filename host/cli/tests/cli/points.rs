use portcullis::points::PointId;

use crate::support::{bare, run};

/// Returns the names of all points, in the order of the table.
fn names() -> Vec<&'static str> {
    PointId::ALL.iter().map(|point| point.name()).collect()
}

#[test]
fn all_points_are_listed_for_programs() {
    let ran = run(&mut bare(&["points", "--json"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let points = ran.json();
    let points = points.as_array().unwrap();
    let names: Vec<&str> = points.iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, self::names());
    for (point, id) in points.iter().zip(PointId::ALL) {
        let info = id.info();
        assert_eq!(point["value"], info.value);
        let outcomes: Vec<&str> = info.outcomes.iter().map(|kind| kind.name()).collect();
        assert_eq!(point["outcomes"], serde_json::json!(outcomes), "{id}");
        assert_eq!(point["outcomes"][0], "continue", "{id}");
        assert!(["forward", "reverse"].contains(&point["order"].as_str().unwrap()));
        assert!(["refuses", "fails", "never-fatal"].contains(&point["failure"].as_str().unwrap()));
        assert_eq!(point.as_object().unwrap().len(), 5, "{id}");
    }
    // The keys in the order that is promised.
    let keys = [
        "\"name\"",
        "\"value\"",
        "\"outcomes\"",
        "\"order\"",
        "\"failure\"",
    ];
    let places: Vec<_> = keys.iter().map(|key| ran.out.find(key).unwrap()).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn some_rows_are_those_of_the_design() {
    let points = run(&mut bare(&["points", "--json"])).json();
    for (name, outcomes, order, failure) in [
        (
            "pre-turn",
            &["continue", "transform", "reject", "replace", "answer"][..],
            "forward",
            "refuses",
        ),
        (
            "post-turn",
            &["continue", "transform", "reject", "replace", "contribute"],
            "reverse",
            "refuses",
        ),
        (
            "pre-tool-call",
            &[
                "continue",
                "transform",
                "reject",
                "replace",
                "answer",
                "ask",
            ],
            "forward",
            "refuses",
        ),
        ("post-step", &["continue", "stop"], "reverse", "fails"),
        (
            "prompt-compile",
            &["continue", "contribute", "transform"],
            "forward",
            "fails",
        ),
        (
            "turn-stopping",
            &["continue", "keep-going"],
            "forward",
            "fails",
        ),
        ("turn-suspended", &["continue"], "forward", "never-fatal"),
        ("turn-resumed", &["continue"], "forward", "never-fatal"),
        ("session-end", &["continue"], "forward", "never-fatal"),
        ("post-compaction", &["continue"], "reverse", "never-fatal"),
    ] {
        let point = points
            .as_array()
            .unwrap()
            .iter()
            .find(|p| p["name"] == name)
            .unwrap();
        assert_eq!(point["outcomes"], serde_json::json!(outcomes), "{name}");
        assert_eq!(
            (&point["order"], &point["failure"]),
            (&order.into(), &failure.into()),
            "{name}"
        );
    }
}

#[test]
fn all_points_are_listed_for_people() {
    let ran = run(&mut bare(&["points"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for name in names() {
        let row = ran
            .out
            .lines()
            .find(|line| line.split_whitespace().next() == Some(name));
        let row = row.unwrap_or_else(|| panic!("no `{name}` in:\n{}", ran.out));
        assert!(row.contains("forward") || row.contains("reverse"), "{row}");
    }
    let count = format!("{} points", PointId::ALL.len());
    assert!(ran.out.contains(&count), "{}", ran.out);
    let help = run(&mut bare(&["points", "--help"]));
    assert!(
        help.out.contains("portcullis points --json"),
        "{}",
        help.out
    );
}
