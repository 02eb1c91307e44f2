//! The order of hooks, with components.

use portcullis::points::PointId;
use portcullis_tests::{HooksDir, hook};

fn three(settings: [&str; 3]) -> HooksDir {
    let ids = ["alpha", "bravo", "delta"];
    let mut dir = HooksDir::new();
    let mut toml = String::new();
    // The files are added in another order than by id: file order does not decide.
    for index in [2, 0, 1] {
        dir = dir.with_renamed("probe", ids[index]);
        toml += &hook(ids[index], settings[index], "");
    }
    dir.settings(&toml)
}

#[test]
fn low_priority_first_and_post_points_the_other_way_round() {
    let hooks = three(["priority = 50", "priority = -5", ""]).load();
    assert_eq!(hooks.order(PointId::PreTurn), ["bravo", "alpha", "delta"]);
    assert_eq!(
        hooks.order(PointId::SessionEnd),
        ["bravo", "alpha", "delta"]
    );
    for point in [PointId::PostTurn, PointId::TurnError, PointId::LlmError] {
        assert_eq!(hooks.order(point), ["delta", "alpha", "bravo"], "{point}");
    }
}

#[test]
fn a_dependency_wins_over_priority_at_every_point() {
    let hooks = three(["priority = 1\nafter = [\"delta\"]", "", ""]).load();
    assert_eq!(hooks.order(PointId::PreTurn), ["bravo", "delta", "alpha"]);
    assert_eq!(hooks.order(PointId::PostTurn), ["bravo", "delta", "alpha"]);
}

#[test]
fn a_dependency_on_what_is_not_there_is_a_load_error() {
    for (settings, why) in [
        (
            ["after = [\"charlie\"]", "", ""],
            "is not in the hooks directory",
        ),
        (
            ["after = [\"bravo\"]", "enabled = false", ""],
            "is disabled",
        ),
    ] {
        let error = three(settings)
            .try_load()
            .expect_err("an error")
            .to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn a_cycle_is_a_load_error_with_its_path() {
    let error = three([
        "after = [\"bravo\"]",
        "after = [\"delta\"]",
        "after = [\"alpha\"]",
    ])
    .try_load()
    .expect_err("an error")
    .to_string();
    let path = "alpha runs after bravo runs after delta runs after alpha";
    assert!(error.contains(path), "{error}");
    assert_eq!(error.matches("runs after").count(), 3, "once: {error}");
}
