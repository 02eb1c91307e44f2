//! A component that keeps failing in one process is left alone in all.

use portcullis::state::{SharedQuarantine, StateStore as _};
use portcullis::verdict::Cause;
use portcullis_store::directory_scope;
use serde_json::{Value, json};

use super::{in_store, on_both};
use crate::agent::live::Live;
use crate::agent::scene::Scene;

#[test]
fn a_hook_in_quarantine_refuses_in_all_processes_until_one_of_them_has_tried_it() {
    on_both("a quarantine of several processes", share);
}

fn settings(quarantine: &str, does: &str) -> String {
    let granted = "state = true\nevents = true\ncontribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]";
    format!(
        "[quarantine]\n{quarantine}\n[hooks.probe.grants]\n{granted}\n[hooks.probe.config]\npre-turn = \"{does}\"\n"
    )
}

fn quarantines(store: &str, scope: &str) -> Vec<SharedQuarantine> {
    in_store(store, async |store| {
        let state = store.hook_state(scope);
        state.quarantines().unwrap().list().await.unwrap()
    })
}

/// Runs a turn, and gives what became of its hook.
fn turn(live: &mut Live) -> Value {
    live.request(json!({ "type": "input", "text": "go" }));
    loop {
        let run = live.wait("hook-run");
        if run["point"] == "pre-turn" {
            return run;
        }
    }
}

fn share(store: &str) {
    let response = json!({ "text": "Done." });
    let scene = Scene::new(&format!(
        "[stores]\nurl = \"{store}\"\n[[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n"
    ));
    scene.write(
        "script.json",
        &json!({ "responses": vec![response; 10_000] }).to_string(),
    );
    let scene = scene.hook(
        "test-hooks/probe.wasm",
        &settings("failures = 3\nseconds = 600", "panic"),
    );
    let scope = directory_scope(&scene.path("hooks"));
    let mut one = Live::run(&scene, &[]);
    for _ in 0..3 {
        assert_eq!(turn(&mut one)["cause"], "trap");
    }
    let found = loop {
        if let Some(found) = quarantines(store, &scope).pop() {
            break found;
        }
    };
    assert_eq!(
        (found.hook.as_str(), found.failures, found.cause),
        ("probe", 3, Cause::Trap)
    );
    one.kill(0);

    // It does not fail any more, and would never be in quarantine here.
    scene.write(
        "hooks/hooks.toml",
        &settings("failures = 1000\nseconds = 2", "continue"),
    );
    let mut two = Live::run(&scene, &[]);
    while turn(&mut two)["cause"] != "quarantined" {}
    let refused = two.wait("turn-failed");
    assert!(refused["error"].to_string().contains("probe"), "{refused}");
    while turn(&mut two)["cause"] == "quarantined" {}
    while !quarantines(store, &scope).is_empty() {}
}
