//! `portcullis demo --durable`, and the commands that it prints.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Ran, bare, demo, portcullis, run, text};

/// Runs a printed command in a shell that finds `portcullis`.
fn shell(line: &str) -> Ran {
    let there = Path::new(env!("CARGO_BIN_EXE_portcullis"))
        .parent()
        .unwrap();
    let mut shell = Command::new("sh");
    shell
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{}", there.display(), std::env::var("PATH").unwrap()),
        )
        .envs(
            bare(&[])
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .env_remove("PORTCULLIS_STORE")
        .stdin(std::process::Stdio::null());
    run(&mut shell)
}

/// Returns the hook runs of the third turn: point, hook and answer. Leaves out the hook that runs
/// in the background, at any time.
fn third(runs: &[Value]) -> Vec<String> {
    let of_it = runs
        .iter()
        .filter(|run| run["turn"] == 3 && run["hook"] != "memory-extractor");
    let row = |run: &Value| format!("{} {} {}", run["point"], run["hook"], run["outcome"]);
    of_it.map(row).collect()
}

#[test]
fn the_command_that_it_prints_finishes_the_turn_with_the_same_timeline() {
    let hooks = demo();
    let hooks = ["--hooks", text(hooks.path())];
    let undisturbed = run(&mut portcullis(&[&["demo", "--json"][..], &hooks].concat()));
    let undisturbed = third(&undisturbed.lines());
    assert!(undisturbed.len() > 20, "{undisturbed:#?}");

    let killed = run(&mut portcullis(
        &[&["demo", "--durable"][..], &hooks].concat(),
    ));
    assert_eq!(killed.code, Some(0), "{killed:?}");
    for said in [
        "the turn did not end",
        "was killed, in the middle of turn 3",
    ] {
        assert!(killed.out.contains(said), "no `{said}` in:\n{}", killed.out);
    }
    let printed: Vec<&str> = killed
        .out
        .lines()
        .filter_map(|line| line.get(line.find("cd /")?..))
        .collect();
    let [finish, explain] = printed[..] else {
        panic!("{}", killed.out);
    };
    assert!(
        finish.ends_with(" && portcullis run --continue"),
        "{finish}"
    );

    let finished = shell(finish);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert!(finished.err.contains("finishing the turn"), "{finished:?}");
    assert!(
        finished.out.contains("The drafts stay until Friday"),
        "{finished:?}"
    );
    let explained = shell(explain);
    for said in [
        "turn 3",
        "another one continued the turn",
        "The drafts stay until Friday",
    ] {
        assert!(
            explained.out.contains(said),
            "no `{said}` in:\n{}",
            explained.out
        );
    }
    // Both processes recorded the same call, which counts once.
    for said in ["3 tool calls", "because of human-approval"] {
        assert!(
            explained.out.contains(said),
            "no `{said}` in:\n{}",
            explained.out
        );
    }
    let calls = explained.out.matches("tool run_command").count();
    assert_eq!(calls, 1, "{}", explained.out);

    let (dir, _) = finish.trim_start_matches("cd ").split_once(" && ").unwrap();
    let recorded = [
        "runs",
        "--session",
        "demo",
        "--turn",
        "3",
        "--limit",
        "1000",
        "--json",
    ];
    let recorded = run(bare(&recorded).current_dir(dir)).json();
    assert_eq!(third(recorded.as_array().unwrap()), undisturbed);
    fs::remove_dir_all(dir).unwrap();
}
