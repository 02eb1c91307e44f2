//! A component that keeps failing in one process is in quarantine in all.

use std::time::{Duration, Instant};

use portcullis::state::{SharedQuarantine, StateStore as _};
use portcullis::verdict::Cause;
use portcullis_store::directory_scope;
use serde_json::{Value, json};

use super::{in_store, on_both};
use crate::agent::live::Live;
use crate::agent::scene::Scene;
use crate::support::run;

/// The longest wait: far longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn a_hook_in_quarantine_refuses_in_all_processes_until_one_of_them_has_tried_it() {
    on_both("a quarantine of several processes", share);
}

/// Returns a hook that fails at all points of a refused turn, so that no success comes between its
/// failures.
fn settings(failures: u32) -> String {
    let granted = "state = true\nevents = true\ncontribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]";
    format!(
        "[quarantine]\nfailures = {failures}\nseconds = 600\n[hooks.probe.grants]\n{granted}\n\
         [hooks.probe.config]\npre-turn = \"panic\"\nturn-error = \"panic\"\n"
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
        // Processes read each other's quarantines at an interval.
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn share(store: &str) {
    let scene = Scene::new(&format!(
        "[stores]\nurl = \"{store}\"\n[hooks]\nwatch = false\n[[providers]]\nkind = \"scripted\"\n\
         repeat = true\nresponses = [{{ text = \"Done.\" }}]\n"
    ));
    let scene = scene.hook("test-hooks/probe.wasm", &settings(1_000));
    let scope = directory_scope(&scene.path("hooks"));
    // With these settings, the process would not put the hook into quarantine by itself.
    let mut other = Live::run(&scene, &[]);
    turns_until(&mut other, &json!("trap"));
    scene.write("hooks/hooks.toml", &settings(3));
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
    let command = |arguments: &[&str]| run(&mut scene.command(arguments));
    let listed = command(&["hooks", "list", "--json"]).json();
    assert_eq!(listed[0]["quarantine"]["cause"], "trap", "{listed}");
    let listed = command(&["hooks", "list"]).out;
    assert!(listed.contains("in quarantine for"), "{listed}");
    let shown = command(&["hooks", "quarantine", "--json"]).json();
    assert_eq!(shown[0]["until-ms"], found.until_ms, "{shown}");
    // The quarantine belongs to the component with these settings.
    scene.write(
        "hooks/hooks.toml",
        &settings(3).replace("panic", "continue"),
    );
    let shown = command(&["hooks", "quarantine", "--json"]).json();
    assert_eq!(shown, json!([]));
    let unknown = command(&["hooks", "quarantine", "prob", "--end"]);
    assert!(unknown.err.contains("did you mean `probe`?"), "{unknown:?}");
    let ended = command(&["hooks", "quarantine", "probe", "--end"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    turns_until(&mut other, &json!("trap"));
    assert!(quarantines(store, &scope).is_empty());
}
