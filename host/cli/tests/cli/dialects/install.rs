//! `portcullis install` and `portcullis uninstall`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use super::{Place, tool_call};
use crate::support::{Ran, bare, run, run_with_input, text};

fn install(place: &Place, project: &Path, agent: &str, more: &[&str]) -> Ran {
    let hooks = text(place.hooks.path());
    let arguments = [&["install", agent, "--hooks", hooks], more].concat();
    run(place.command(&arguments).current_dir(project))
}

fn uninstall(project: &Path, agent: &str) -> Ran {
    run(bare(&["uninstall", agent, "--yes"]).current_dir(project))
}

fn settings(project: &Path, file: &str) -> Value {
    let text = fs::read_to_string(project.join(file)).expect("the settings");
    serde_json::from_str(&text).expect("JSON")
}

fn project() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

#[test]
fn what_is_installed_runs_and_is_removed() {
    let place = Place::new("pre-tool-call = 'reject not today'");
    for (agent, file, event) in [
        ("claude", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
    ] {
        let project = project();
        let ran = install(&place, project.path(), agent, &["--yes"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.out.contains("+ ") && ran.out.contains("hook --dialect"),
            "{ran:?}"
        );
        let hook = settings(project.path(), file)["hooks"][event][0]["hooks"][0].clone();
        let command = hook["command"].as_str().expect("a command");
        let mut event_json = tool_call("ls");
        event_json["hook_event_name"] = event.into();
        let mut shell = Command::new("sh");
        shell
            .args(["-c", command])
            .env("XDG_STATE_HOME", project.path());
        let ran = run_with_input(&mut shell, &event_json.to_string());
        assert!(ran.out.contains("not today"), "{agent}: {ran:?}");

        let again = install(&place, project.path(), agent, &[]);
        assert!(again.out.contains("nothing to change"), "{again:?}");
        let ran = uninstall(project.path(), agent);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(!project.path().join(file).exists(), "{ran:?}");
    }
}

#[test]
fn a_persons_settings_stay_as_they_are() {
    let place = Place::new("");
    let project = project();
    let file = project.path().join(".claude/settings.json");
    let before = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": []}\n    ]\n  }\n}\n";
    fs::create_dir(project.path().join(".claude")).expect("a directory");
    fs::write(&file, before).expect("the settings");
    assert_eq!(
        install(&place, project.path(), "claude", &["--yes"]).code,
        Some(0)
    );
    let installed = fs::read_to_string(&file).expect("the settings");
    let changed = installed.replacen("\"timeout\": 60", "\"timeout\": 5", 1);
    fs::write(&file, &changed).expect("the settings");
    let ran = uninstall(project.path(), "claude");
    assert!(ran.err.contains("installed: Stop"), "{ran:?}");
    let left = settings(project.path(), ".claude/settings.json");
    assert_eq!(left["hooks"]["Stop"][1]["hooks"][0]["timeout"], 5);
    assert!(left["hooks"].get("PostToolUse").is_none(), "{left}");

    fs::write(&file, &installed).expect("the settings");
    assert_eq!(uninstall(project.path(), "claude").code, Some(0));
    assert_eq!(fs::read_to_string(&file).expect("the settings"), before);
}

#[test]
fn nothing_is_written_without_consent_or_with_hooks_that_do_not_load() {
    let place = Place::new("");
    let project = project();
    let ran = install(&place, project.path(), "claude", &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("--yes"), "{ran:?}");
    fs::write(place.hooks.path().join("hooks.toml"), "[hooks.nobody]\n").expect("the settings");
    let ran = install(&place, project.path(), "claude", &["--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(!project.path().join(".claude").exists());
}

#[test]
fn users_settings_are_in_their_home() {
    let place = Place::new("");
    let home = project();
    let hooks = text(place.hooks.path());
    let mut command = place.command(&["install", "codex", "--user", "--yes", "--hooks", hooks]);
    command
        .env("HOME", home.path())
        .env_remove("CODEX_HOME")
        .stdin(Stdio::null());
    let ran = run(&mut command);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(settings(home.path(), ".codex/hooks.json")["hooks"]["Stop"].is_array());
}

#[test]
fn what_was_agreed_to_is_written_whoever_reads_the_diff() {
    let (place, project) = (Place::new(""), project());
    let hooks = text(place.hooks.path());
    let arguments = [
        "install", "claude", "--hooks", hooks, "--daemon", "start", "--yes",
    ];
    let mut command = place.command(&arguments);
    let mut child = command
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .spawn();
    let child = child.as_mut().expect("the command starts");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
    let settings = settings(project.path(), ".claude/settings.json");
    let command = &settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    let command = command.as_str().expect("a command");
    assert!(
        command.contains("portcullis-client hook --dialect claude"),
        "{command}"
    );
    assert!(command.ends_with("--daemon start"), "{command}");
    let ran = uninstall(project.path(), "claude");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
