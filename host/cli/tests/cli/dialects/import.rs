//! `portcullis import` and `portcullis script`: command hooks of Claude Code in Portcullis's
//! chains.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{Place, prompt, tool_call};
use crate::support::{Ran, run, run_with_input, text};
use crate::terminal::Terminal;

/// Settings of Claude Code with these hooks, imported.
fn imported(place: &Place, project: &Path, hooks: &Value) -> Ran {
    let settings = project.join("settings.json");
    fs::write(&settings, json!({"hooks": hooks}).to_string()).expect("the settings");
    let dir = text(place.hooks.path());
    run(&mut crate::support::bare(&[
        "import",
        "claude",
        "--from",
        text(&settings),
        "--hooks",
        dir,
        "--yes",
    ]))
}

fn command(command: &str) -> Value {
    json!([{"type": "command", "command": command}])
}

/// Returns a tool call in a project.
fn call_in(project: &Path, command: &str) -> Value {
    let mut event = tool_call(command);
    event["cwd"] = text(project).into();
    event
}

#[test]
fn imported_hooks_run_as_in_claude_code() {
    let (place, project) = (Place::new(""), tempfile::tempdir().expect("a directory"));
    let ran = imported(
        &place,
        project.path(),
        &json!({
            "PreToolUse": [
                {"matcher": "Edit|Write", "hooks": command("touch wrong")},
                {"matcher": "^Ba", "hooks": command("cat > seen; if grep -q 'rm -rf' seen; then echo no rm >&2; exit 2; fi")},
                {"hooks": [{"type": "http", "url": "http://127.0.0.1"}]},
            ],
            "PostToolUse": [{"matcher": "Bash", "hooks": command(
                r#"echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "look again"}}'"#,
            )}],
            "UserPromptSubmit": [{"hooks": command("echo It rains.")}],
            "Stop": [{"hooks": command(r#"echo '{"decision": "block", "reason": "Run the tests."}'"#)}],
            "Notification": [{"hooks": command("true")}],
        }),
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for left in [
        "hooks.PreToolUse[2].hooks[0]",
        "hooks.Notification[0].hooks[0]",
    ] {
        assert!(ran.err.contains(left), "{ran:?}");
    }
    let hook = |event: &Value| {
        let ran = place.hook("claude", event);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        match ran.out.is_empty() {
            true => Value::Null,
            false => ran.json(),
        }
    };

    let event = call_in(project.path(), "ls");
    assert_eq!(hook(&event), Value::Null);
    assert!(
        !project.path().join("wrong").exists(),
        "its matcher is another tool's"
    );
    let seen = fs::read_to_string(project.path().join("seen")).expect("it ran in the project");
    let seen: Value = serde_json::from_str(&seen).expect("an event");
    for key in [
        "session_id",
        "cwd",
        "hook_event_name",
        "tool_name",
        "tool_input",
        "tool_use_id",
    ] {
        assert_eq!(seen[key], event[key], "{key}");
    }

    let denied = hook(&call_in(project.path(), "rm -rf old"));
    let reason = &denied["hookSpecificOutput"]["permissionDecisionReason"];
    assert!(
        reason
            .as_str()
            .is_some_and(|reason| reason.contains("no rm")),
        "{denied}"
    );

    let mut after = call_in(project.path(), "ls");
    after["hook_event_name"] = "PostToolUse".into();
    after["tool_response"] = "a".into();
    let output = &hook(&after)["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output, "a\nlook again");

    let context = hook(&prompt("hello"));
    let context = context["hookSpecificOutput"]["additionalContext"].clone();
    assert!(
        context
            .as_str()
            .is_some_and(|context| context.ends_with("It rains.")),
        "{context}"
    );

    let mut stop = prompt("");
    stop["hook_event_name"] = "Stop".into();
    stop["stop_hook_active"] = false.into();
    let stopped = hook(&stop);
    assert_eq!(stopped["decision"], "block");
    assert!(
        stopped["reason"]
            .as_str()
            .is_some_and(|reason| reason.ends_with("Run the tests."))
    );
}

#[test]
fn a_second_import_adds_nothing_and_a_failure_does_what_the_settings_say() {
    let (place, project) = (Place::new(""), tempfile::tempdir().expect("a directory"));
    let hooks = json!({"PreToolUse": [{"hooks": command("exit 1")}]});
    assert_eq!(imported(&place, project.path(), &hooks).code, Some(0));
    let again = imported(&place, project.path(), &hooks);
    assert!(again.out.contains("nothing to import"), "{again:?}");
    let passed = place.hook("claude", &call_in(project.path(), "ls"));
    assert_eq!(
        (passed.code, passed.out.as_str()),
        (Some(0), ""),
        "{passed:?}"
    );

    let hooks = json!({"PreToolUse": [{"hooks": [
        {"type": "command", "command": "exit 3", "onFailure": "block"},
    ]}]});
    assert_eq!(imported(&place, project.path(), &hooks).code, Some(0));
    let blocked = place.hook("claude", &call_in(project.path(), "ls")).json();
    assert_eq!(blocked["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn what_is_written_while_import_asks_is_not_overwritten() {
    let (place, project) = (Place::new(""), tempfile::tempdir().expect("a directory"));
    let from = project.path().join("settings.json");
    let hooks = json!({"hooks": {"PreToolUse": [{"hooks": command("exit 1")}]}});
    fs::write(&from, hooks.to_string()).expect("the settings");
    let (from, dir) = (text(&from), text(place.hooks.path()));
    let import = ["import", "claude", "--from", from, "--hooks", dir];
    let mut terminal = Terminal::of(crate::support::bare(&import));
    terminal.wait("yes or no? ");
    let (settings, edited) = (place.hooks.path().join("hooks.toml"), "[turn]\nfuel = 7\n");
    fs::write(&settings, edited).expect("the file");
    terminal.answer("yes");
    terminal.wait("was changed meanwhile");
    assert!(!terminal.ends_well());
    assert_eq!(fs::read_to_string(&settings).expect("the file"), edited);
}

/// Each answer of a command hook, and its outcome at `pre-tool-call`.
#[test]
fn answers_become_outcomes() {
    let document = json!({
        "point": "pre-tool-call",
        "context": {"session-id": "s", "agent": "a", "turn": 1, "step": 1},
        "input": {"call-id": "1", "name": "Bash"},
        "views": {"tool-data": {"input": "{\"command\":\"ls\"}"}, "session": {"working-dir": null}},
    });
    let specific = |fields: &str| {
        format!(
            "echo '{{\"hookSpecificOutput\": {{\"hookEventName\": \"PreToolUse\", {fields}}}}}'"
        )
    };
    let reject = |reason: &str| json!({"reject": {"code": "claude-hook", "reason": reason}});
    for (command, outcome) in [
        ("true".to_owned(), Some(json!("continue"))),
        ("echo no >&2; exit 2".into(), Some(reject("no"))),
        ("exit 1".into(), None),
        ("kill -9 $$".into(), None),
        ("echo '{\"a\": '".into(), None),
        (specific(r#""permissionDecision": "Deny""#), None),
        (specific(r#""updatedInput": ["ls"]"#), None),
        (
            specific(r#""permissionDecision": "deny", "permissionDecisionReason": "no""#),
            Some(reject("no")),
        ),
        (
            specific(r#""permissionDecision": "allow""#),
            Some(json!("continue")),
        ),
        (
            specific(r#""permissionDecision": "ask", "permissionDecisionReason": "May it?""#),
            Some(json!({"ask": {"question": "May it?"}})),
        ),
        (
            specific(r#""updatedInput": {"command": "ls -l"}"#),
            Some(json!({"transform": "{\"command\":\"ls -l\"}"})),
        ),
        (
            "echo '{\"decision\": \"block\", \"reason\": \"no\"}'".into(),
            Some(reject("no")),
        ),
        (
            "echo '{\"continue\": false, \"stopReason\": \"enough\"}'".into(),
            Some(reject("enough")),
        ),
    ] {
        let arguments = [
            "script",
            "--event",
            "PreToolUse",
            "--",
            "sh",
            "-c",
            &command,
        ];
        let mut script = crate::support::bare(&arguments);
        let ran = run_with_input(&mut script, &document.to_string());
        match outcome {
            Some(outcome) => assert_eq!(ran.json(), outcome, "{command}"),
            None => assert_eq!(
                (ran.code, ran.out.as_str()),
                (Some(1), ""),
                "{command}: {ran:?}"
            ),
        }
    }
    let mut other = crate::support::bare(&["script", "--event", "Stop", "--", "true"]);
    let ran = run_with_input(&mut other, &document.to_string());
    assert!(
        ran.code == Some(1) && ran.err.contains("`turn-stopping`"),
        "{ran:?}"
    );
}
