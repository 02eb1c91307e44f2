//! The proxy's output when its hooks change.

use std::time::Duration;

use super::peers::{SERVER, hooks_of};
use super::running::Listening;

const SETTINGS: &str = r#"
[hooks.probe.grants]
state = true
events = true
contribute = ["policy", "context", "section", "tools", "note", "job"]
"#;

/// The longest wait for a reload: far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_reload_is_reported_on_the_standard_error() {
    let dir = hooks_of("probe", SETTINGS);
    let proxy = Listening::start(dir.path(), &["sh", "-c", SERVER].map(str::to_owned));
    std::fs::remove_file(dir.path().join("probe.wasm")).expect("the probe");
    let expected = "the guard probe was removed: it no longer guards anything";
    loop {
        let line = proxy.said.recv_timeout(PATIENCE).expect("the report");
        if line.contains(expected) {
            break;
        }
    }
}
