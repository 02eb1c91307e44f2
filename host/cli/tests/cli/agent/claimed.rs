//! A suspended turn whose process died.

use serde_json::{Value, json};

use super::live::{Live, at_gate, gated, make_gate, open_gate};
use super::scene::Scene;
use super::suspended::{DEFERRED, approvals, suspend};
use crate::support::run;

/// Resumes a turn in a process that is killed meanwhile.
fn killed() -> (Scene, String) {
    let scene = Scene::new(DEFERRED).probe("pre-tool-call = \"ask May it?\"");
    make_gate(&scene);
    scene.write("script.json", &gated(""));
    let id = suspend(&scene, "Run.");
    scene.write(
        "script.json",
        r#"{ "responses": [{ "text": "Resumed." }] }"#,
    );
    let approved = approvals(&scene, &["approve", &id, "--yes"]);
    assert_eq!(approved.code, Some(0), "{approved:?}");
    let mut live = Live::of(scene.command(&["resume", "--json", &id]));
    let gate = at_gate(&scene);

    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    assert_eq!(
        (&listed[0]["state"], &listed[0]["process"]),
        (&json!("claimed"), &json!("alive"))
    );
    for verb in ["release", "discard"] {
        let refused = approvals(&scene, &[verb, &id]);
        assert_eq!(refused.code, Some(1), "{verb}: {refused:?}");
        assert!(refused.err.contains("may be running"), "{refused:?}");
    }
    live.signal("-KILL");
    live.end();
    drop(gate);
    (scene, id)
}

#[test]
fn a_turn_of_a_dead_process_is_released_and_resumed() {
    let (scene, id) = killed();
    let resume = |id: &str| run(&mut scene.command(&["resume", id]));
    let refused = resume(&id);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("was claimed"), "{refused:?}");
    let listed = approvals(&scene, &["list"]);
    assert!(listed.out.contains("dead"), "{listed:?}");
    let shown: Value = approvals(&scene, &["show", &id, "--json"]).json();
    let opened = scene.run(&["--session", shown["session"].as_str().unwrap(), "Second."]);
    assert_eq!(opened.code, Some(1), "{opened:?}");
    let release = format!("portcullis approvals release {id}");
    assert!(opened.err.contains(&release), "{opened:?}");
    let released = approvals(&scene, &["release", "--json", &id]);
    assert_eq!(released.code, Some(0), "{released:?}");
    let released = released.json();
    assert_eq!(
        (&released["id"], &released["state"], &released["claim"]),
        (&json!(id), &json!("answered"), &Value::Null)
    );
    let waits = approvals(&scene, &["release", &id]);
    assert!(waits.err.contains("it waits"), "{waits:?}");

    let ran = std::thread::scope(|both| {
        both.spawn(|| open_gate(&scene));
        resume(&id)
    });
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "Resumed.\n"),
        "{ran:?}"
    );
}

#[test]
fn a_turn_of_a_dead_process_is_discarded() {
    let (scene, id) = killed();
    let discarded = approvals(&scene, &["discard", "--json", &id]);
    assert_eq!(discarded.code, Some(0), "{discarded:?}");
    let discarded = discarded.json();
    assert_eq!(
        (&discarded["id"], &discarded["state"]),
        (&json!(id), &json!("claimed"))
    );
    let listed: Value = approvals(&scene, &["list", "--json"]).json();
    assert_eq!(listed, json!([]));
}
