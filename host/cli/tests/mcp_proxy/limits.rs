//! A hook behind the proxy that never ends. The result does not depend on the clock or the load of
//! the machine.

use super::peers::{call, hooks, text};

const SETTINGS: &str = r#"
[hooks.actor.config]
answers = '[{"point": "pre-tool-call", "does": "hang"}]'
[hooks.actor.grants]
shared-state = ["costs"]
contribute = ["policy", "context", "section", "tools", "note", "job"]
[hooks.actor.limits]
wall-ms = 86_400_000
"#;

#[test]
fn a_hook_that_never_ends_is_stopped_and_refuses() {
    for (limits, cause) in [
        ("fuel = 1_000_000\ndeadline-ms = 86_400_000", "fuel"),
        ("fuel = false\ndeadline-ms = 20", "deadline"),
    ] {
        let dir = hooks(&format!("{SETTINGS}{limits}\n"));
        let answer = call(dir.path(), &[]);
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let stopped = format!("hook `actor` failed ({cause})");
        assert!(text(&answer).contains(&stopped), "{answer}");
    }
}
