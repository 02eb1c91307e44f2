//! Conversations that outlive their process.

use std::process::Command;

use serde_json::json;

use super::live::Live;
use super::scene::Scene;
use crate::support::{Ran, run};

const STORE: &str = "[stores]\nurl = \"sqlite:store.sqlite\"\n";

fn scene(rest: &str) -> Scene {
    Scene::scripted("{ text = \"Noted.\" }", &format!("{STORE}{rest}"))
}

fn sessions(scene: &Scene, arguments: &[&str]) -> Ran {
    let all = [&["sessions"], arguments].concat();
    run(crate::support::bare(&all).current_dir(scene.path("")))
}

/// Returns the provider of the next process, whose model expects the first turn or its absence.
fn next(scene: &Scene, expected: &str) -> String {
    let script = format!(r#"{{ "responses": [{{ {expected}, "text": "Mia." }}] }}"#);
    scene.write("next.json", &script);
    "scripted:next.json".into()
}

#[test]
fn another_process_continues_a_conversation() {
    let scene = scene("");
    assert_eq!(
        scene
            .run(&["--session", "cats", "My cat is called Mia."])
            .out,
        "Noted.\n"
    );
    // The model fails if it gets the first turn, and a failed turn is not recorded.
    let provider = next(&scene, r#""expect_absent": "Mia""#);
    for how in [&["--continue"][..], &["--session", "cats"]] {
        let ran = scene.run(&[how, &["--provider", &provider, "What is it called?"]].concat());
        assert!(
            ran.err.contains("expects `Mia` in no message, but it is"),
            "{ran:?}"
        );
    }
    assert_eq!(scene.run(&["--continue", "Thanks."]).out, "Noted.\n");
    let listed = sessions(&scene, &["list", "--json"]).json();
    assert_eq!(listed[0]["id"], "cats");
    assert_eq!(listed[0]["turns"], 4);
    assert!(listed[0]["updated-ms"].as_u64() > listed[0]["created-ms"].as_u64());
    assert!(listed[0]["open-in"].is_null(), "{listed}");
    let shown = sessions(&scene, &["show", "cats"]);
    assert!(shown.out.contains("My cat is called Mia."), "{}", shown.out);
    let exported = sessions(&scene, &["export", "cats"]).json();
    assert_eq!(
        exported["data"]["conversation"].as_array().map(Vec::len),
        Some(4)
    );
}

#[test]
fn a_new_session_knows_nothing_and_there_may_be_none_to_continue() {
    let scene = scene("");
    let none = scene.run(&["--continue", "Hi"]);
    assert_eq!(none.code, Some(1));
    assert!(
        none.err.contains("no session of this agent"),
        "{}",
        none.err
    );
    scene.run(&["My cat is called Mia."]);
    let provider = next(&scene, r#""expect_absent": "Mia""#);
    let ran = scene.run(&["--provider", &provider, "Hi"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn a_deleted_session_is_gone_with_all_that_was_kept_of_it() {
    let scene = scene("[memory]\n").probe("");
    scene.run(&["--session", "cats", "My cat is called Mia."]);
    // Without a terminal, nobody can be asked.
    let asked = sessions(&scene, &["delete", "cats"]);
    assert_eq!(asked.code, Some(1), "{asked:?}");
    assert!(asked.err.contains("nothing was deleted"), "{asked:?}");
    assert!(asked.out.contains("Deletes cats"), "{asked:?}");
    assert!(asked.out.contains(": 1 turn,"), "{asked:?}");
    let shown = sessions(&scene, &["show", "cats"]);
    assert!(shown.out.trim_end().ends_with(", 1 turn"), "{shown:?}");
    let deleted = sessions(&scene, &["delete", "cats", "--json", "--yes"]).json();
    assert_eq!(
        (&deleted["sessions"], &deleted["memories"]),
        (&1.into(), &1.into())
    );
    assert!(deleted["hook-runs"].as_u64() > Some(0), "{deleted}");
    let gone = sessions(&scene, &["show", "cats"]);
    assert_eq!(gone.code, Some(1));
    assert!(gone.err.contains("no session `cats`"), "{}", gone.err);
    assert_eq!(
        sessions(&scene, &["list", "--json"]).json(),
        serde_json::json!([])
    );
}

#[test]
fn the_oldest_sessions_are_deleted_beyond_the_size_and_it_is_told() {
    let scene = scene("keep-bytes = 1\n");
    scene.run(&["--session", "old", "Hi"]);
    scene.run(&["--session", "middle", "Hi"]);
    // The newest is kept, and so is the one that is continued.
    let ran = scene.run(&["--session", "old", "Hi"]);
    assert!(!ran.err.contains("deleted"), "{ran:?}");
    let ran = scene.run(&["--session", "new", "Hi"]);
    assert!(ran.err.contains("deleted 1 session"), "{ran:?}");
    let continued = scene.run(&["--continue", "Hi"]);
    assert_eq!(continued.code, Some(0), "{continued:?}");
    let listed = sessions(&scene, &["list", "--json"]).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed[0]["id"], "new");
    assert_eq!(listed[0]["turns"], 2);
}

#[test]
fn prune_deletes_the_sessions_that_are_not_kept() {
    let scene = scene("");
    for id in ["old", "new"] {
        scene.run(&["--session", id, "Hi"]);
    }
    for (arguments, why) in [
        (&["prune", "--yes"][..], "--keep-days"),
        (&["prune", "--keep-bytes", "1"], "nothing was deleted"),
    ] {
        let refused = sessions(&scene, arguments);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.err.contains(why), "{refused:?}");
    }
    for (keeps, deleted) in [(["--keep-days", "1"], 0), (["--keep-bytes", "1"], 1)] {
        let arguments = [&["prune", "--yes", "--json"][..], &keeps].concat();
        let pruned = sessions(&scene, &arguments).json();
        assert_eq!(pruned["sessions"], deleted, "{pruned}");
    }
    let listed = sessions(&scene, &["list", "--json"]).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed[0]["id"], "new");
}

#[test]
fn a_session_is_of_one_user() {
    let scene = scene("");
    let file = std::fs::read_to_string(scene.path("agent.toml")).unwrap();
    scene.write("other.toml", &format!("user = \"eve\"\n{file}"));
    scene.run(&["--session", "cats", "Hi"]);
    let other = scene.run(&["--agent", "other.toml", "--session", "cats", "Hi"]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(
        other.err.contains("is of no user, and this is user `eve`"),
        "{other:?}"
    );
    let none = scene.run(&["--agent", "other.toml", "--continue", "Hi"]);
    assert!(none.err.contains("no session of this agent"), "{none:?}");
    let empty = scene.run(&["--session", "", "Hi"]);
    assert_eq!(empty.code, Some(2), "{empty:?}");
    assert!(empty.err.contains("--session <ID>"), "{empty:?}");
}

#[test]
fn a_session_that_is_lost_is_reported_once_a_turn() {
    let scene = Scene::scripted("{ text = \"Noted.\" }", &format!("repeat = true\n{STORE}"))
        .probe("pre-turn = \"remember\"");
    let command = scene.command(&["run", "--json", "--session", "s"]);
    let mut logged = Command::new("sh");
    logged
        .args(["-c", "exec \"$@\" 2>log", "sh"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(scene.path(""))
        .env_remove("PORTCULLIS_LOG");
    let mut live = Live::of(logged);
    let mut turn = |end: &str| {
        live.request(json!({ "type": "input", "text": "Hi." }));
        live.wait(end);
    };
    turn("turn-ended");
    assert_eq!(sessions(&scene, &["release", "s"]).code, Some(0));
    turn("turn-ended");
    // The hook's state can no longer be stored.
    turn("turn-failed");
    live.request(json!({ "type": "end" }));
    assert_eq!(live.end(), Some(1));
    let log = std::fs::read_to_string(scene.path("log")).unwrap();
    let errors: Vec<&str> = log.lines().filter(|line| line.contains("ERROR")).collect();
    assert_eq!(errors.len(), 2, "{log}");
    assert!(
        errors
            .iter()
            .all(|line| line.contains("the turn is not saved")),
        "{log}"
    );
}
