//! A component that keeps failing in one process is left alone in all.

use std::time::{Duration, Instant};

use portcullis::state::{SharedQuarantine, StateStore as _};
use portcullis::verdict::Cause;
use portcullis_store::directory_scope;
use serde_json::{Value, json};

use super::{in_store, on_both};
use crate::agent::live::Live;
use crate::agent::scene::Scene;

/// How long anything may take that is waited for: far longer than it does.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_hook_in_quarantine_refuses_in_all_processes_until_one_of_them_has_tried_it() {
    on_both("a quarantine of several processes", share);
}

/// A hook that fails at all points that a refused turn reaches, so that no success comes between its failures.
fn settings(does: &str) -> String {
    let granted = "state = true\nevents = true\ncontribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]";
    format!(
        "[quarantine]\nfailures = 3\nseconds = 600\n[hooks.probe.grants]\n{granted}\n\
         [hooks.probe.config]\npre-turn = \"{does}\"\nturn-error = \"{does}\"\n"
    )
}

fn quarantines(store: &str, scope: &str) -> Vec<SharedQuarantine> {
    in_store(store, async |store| {
        let state = store.hook_state(scope);
        state.quarantines().unwrap().list().await.unwrap()
    })
}

/// Runs turns until this is the cause why the hook failed before one of them.
fn turns_until(live: &mut Live, cause: &Value) {
    let until = Instant::now() + PATIENCE;
    loop {
        live.request(json!({ "type": "input", "text": "go" }));
        let run = loop {
            let run = live.wait("hook-run");
            if run["point"] == "pre-turn" {
                break run;
            }
        };
        if run["cause"] == *cause {
            return;
        }
        assert!(Instant::now() < until, "{run}");
        // Processes compare from time to time.
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn share(store: &str) {
    let scene = Scene::new(&format!(
        "[stores]\nurl = \"{store}\"\n[hooks]\nwatch = false\n[[providers]]\nkind = \"scripted\"\n\
         repeat = true\nresponses = [{{ text = \"Done.\" }}]\n"
    ));
    let scene = scene.hook("test-hooks/probe.wasm", &settings("continue"));
    let scope = directory_scope(&scene.path("hooks"));
    // Here it does not fail, and would never be in quarantine.
    let mut other = Live::run(&scene, &[]);
    turns_until(&mut other, &Value::Null);
    scene.write("hooks/hooks.toml", &settings("panic"));
    let mut one = Live::run(&scene, &[]);
    turns_until(&mut one, &json!("quarantined"));
    let until = Instant::now() + PATIENCE;
    let found = loop {
        if let Some(found) = quarantines(store, &scope).pop() {
            break found;
        }
        assert!(Instant::now() < until, "the quarantine is not shared");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(
        (found.hook.as_str(), found.failures, found.cause),
        ("probe", 3, Cause::Trap)
    );
    one.kill(0);
    turns_until(&mut other, &json!("quarantined"));
    let refused = other.wait("turn-failed");
    assert!(refused["error"].to_string().contains("probe"), "{refused}");
    // As another process does that has tried it.
    in_store(store, async |store| {
        let state = store.hook_state(&scope);
        let quarantines = state.quarantines().unwrap();
        quarantines.remove("probe", found.component).await.unwrap();
    });
    turns_until(&mut other, &Value::Null);
    assert!(quarantines(store, &scope).is_empty());
}
