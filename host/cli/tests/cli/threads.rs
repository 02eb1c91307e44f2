//! The command when it can start no threads.

use crate::support::{bare, directory, portcullis, run, run_with_input, text};

/// The variable that sets the standard library's stack size of threads. No system has this much memory.
const STACK: (&str, &str) = ("RUST_MIN_STACK", "1152921504606846976");

#[test]
fn without_threads_a_command_says_so_and_does_not_panic() {
    let hooks = directory(&["path-jail"], "");
    let agent = tempfile::tempdir().expect("a directory");
    let created = run(bare(&["init"]).current_dir(agent.path()));
    assert_eq!(created.code, Some(0), "{}", created.err);
    for arguments in [
        &["hooks", "list", "--hooks", text(hooks.path())][..],
        &["hooks", "check", "--hooks", text(hooks.path())],
        &["run", "Hello"],
        &["run"],
        &["check", "--connect"],
        &["mcp-proxy", "--hooks", text(hooks.path()), "--", "cat"],
    ] {
        let mut command = match arguments[0] {
            "hooks" | "mcp-proxy" => portcullis(arguments),
            _ => bare(arguments),
        };
        let ran = run(command.env(STACK.0, STACK.1).current_dir(agent.path()));
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert!(!ran.err.contains("panicked"), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("thread"), "{arguments:?}: {}", ran.err);
    }
}

/// An agent that waits for its hooks gets a refusal, as for any failure of the host.
#[test]
fn without_threads_an_event_of_another_agent_is_refused() {
    let hooks = directory(&["path-jail"], "");
    let event =
        r#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}"#;
    let arguments = ["hook", "--dialect", "claude", "--hooks", text(hooks.path())];
    let ran = run_with_input(portcullis(&arguments).env(STACK.0, STACK.1), event);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.err.contains("thread"), "{ran:?}");
}
