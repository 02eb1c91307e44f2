//! `portcullis serve`, and `portcullis hook` with it.

mod begun;
mod process;
mod reloads;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{Place, prompt, tool_call};
use crate::support::{Ran, run_with_input, text};

/// A daemon that is ready, and is killed at the end.
pub struct Daemon {
    process: Child,
    /// The lines that it printed.
    said: Vec<String>,
}

impl Daemon {
    pub fn start(place: &Place, more: &[&str]) -> Self {
        let expected = if more.contains(&"--http") { 3 } else { 1 };
        Self::of(serve(place, more), expected)
    }

    /// Starts the daemon with a command that prints `expected` lines when it is ready.
    fn of(mut command: Command, expected: usize) -> Self {
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the daemon starts");
        let lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let ready = |line: &String| line.starts_with("token: ");
        let said: Vec<String> = lines
            .map(|line| line.expect("a line"))
            .take(expected)
            .collect();
        assert!(
            said.len() == expected && said.iter().any(ready) == (expected == 3),
            "{said:?}"
        );
        Self { process, said }
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(pid, signal).expect("the daemon runs");
    }

    /// Waits for the daemon to end. Returns its exit code.
    pub fn ended(mut self) -> Option<i32> {
        self.process.wait().expect("the daemon ends").code()
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(place: &Place, more: &[&str]) -> Command {
    let mut arguments = vec!["serve", "--hooks", text(place.hooks.path())];
    arguments.extend(more);
    place.command(&arguments)
}

fn hook(place: &Place, more: &[&str], event: &Value) -> Ran {
    with(place, env!("CARGO_BIN_EXE_portcullis"), more, event)
}

/// Like [`hook`], with the program without an engine.
fn client(place: &Place, more: &[&str], event: &Value) -> Ran {
    with(place, env!("CARGO_BIN_EXE_portcullis-client"), more, event)
}

fn with(place: &Place, program: &str, more: &[&str], event: &Value) -> Ran {
    let mut arguments = vec!["hook", "--hooks", text(place.hooks.path())];
    if !more.contains(&"--dialect") {
        arguments.extend(["--dialect", "claude"]);
    }
    arguments.extend(more);
    run_with_input(
        &mut by(program, &place.command(&arguments)),
        &event.to_string(),
    )
}

/// Returns the same command with another program.
pub fn by(program: &str, command: &Command) -> Command {
    let mut same = Command::new(program);
    same.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => same.env(name, value),
            None => same.env_remove(name),
        };
    }
    same
}

const IN_DAEMON: &str = "pre-tool-call, in the daemon";
const HERE: &str = "pre-tool-call, in this process";

#[test]
fn an_event_goes_to_the_daemon_of_the_same_hooks_and_settings() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let daemon = Daemon::start(&place, &[]);
    let socket = daemon.said[0].strip_prefix("unix:").expect("a socket");
    assert!(Path::new(socket).exists());
    let store = format!("sqlite:{}", text(&place.state().join("other.sqlite")));
    for ask in [hook, client] {
        let ran = ask(&place, &["--verbose"], &tool_call("ls"));
        assert!(ran.err.contains(IN_DAEMON), "{ran:?}");
        assert_eq!(
            ran.json()["hookSpecificOutput"]["permissionDecision"],
            "deny"
        );
        let mut other = tool_call("ls");
        other["session_id"] = json!("other");
        for (more, why) in [
            (&["--verbose", "--daemon", "never"][..], ""),
            (
                &["--verbose", "--no-store"],
                "no daemon runs for these hooks",
            ),
            (
                &["--verbose", "--store", &store],
                "no daemon runs for these hooks",
            ),
        ] {
            let ran = ask(&place, more, &other);
            assert!(
                ran.err.contains(HERE) && ran.err.contains(why),
                "{more:?}: {ran:?}"
            );
            assert!(!ran.err.contains(IN_DAEMON), "{more:?}: {ran:?}");
        }
    }
    let elsewhere = Place::new("pre-tool-call = 'continue'");
    let ran = hook(&elsewhere, &["--verbose"], &tool_call("ls"));
    assert!(ran.err.contains(HERE), "{ran:?}");
    assert!(ran.err.contains(" by probe\n"), "{ran:?}");
}

#[test]
fn the_daemon_answers_byte_for_byte_as_the_process() {
    let before = |tool: &str| {
        json!({
            "session_id": "s", "cwd": "/work", "timestamp": "2026-01-01T00:00:00Z",
            "hook_event_name": "BeforeTool", "tool_name": tool, "tool_input": {"x": 1e-7, "y": 0.1},
        })
    };
    let mut changed = tool_call("ls");
    changed["tool_input"] = json!({"command": "ls", "big": 1e300, "text": "\u{1b}[1m\u{202e}é"});
    for actions in [
        "",
        "pre-tool-call = 'reject no'\npre-turn = 'reject no'",
        "pre-tool-call = 'ask May it?'\npre-turn = 'append more'",
        "pre-tool-call = 'panic'\npre-turn = 'panic'",
        r#"pre-tool-call = "transform {\"a\": 0.30000000000000004, \"b\": \"\u001b\"}""#,
    ] {
        let place = Place::new(actions);
        let mut events = vec![
            ("gemini", before("shell")),
            ("claude", json!({"session_id": "s"})),
        ];
        for dialect in ["claude", "codex"] {
            events.extend([(dialect, tool_call("ls")), (dialect, prompt("hello"))]);
            events.push((dialect, changed.clone()));
        }
        if actions.contains("panic") {
            // A daemon puts a hook that fails repeatedly into quarantine.
            events.truncate(3);
        }
        let ask = |ask: fn(&Place, &[&str], &Value) -> Ran| {
            let answers = events.iter().map(|(dialect, event)| {
                let ran = ask(&place, &["--dialect", dialect, "--no-store"], event);
                // The daemon's log is its own.
                let answer = |line: &&str| !line.contains(" WARN ");
                let error: Vec<&str> = ran.err.lines().filter(answer).collect();
                (ran.code, ran.out, error.join("\n"))
            });
            answers.collect::<Vec<_>>()
        };
        let expected = ask(hook);
        let _daemon = Daemon::start(&place, &["--no-store"]);
        assert_eq!(ask(hook), expected, "{actions}");
        assert_eq!(ask(client), expected, "{actions}");
    }
}

#[test]
fn hooks_remember_the_session_with_and_without_the_daemon() {
    let place = Place::new("pre-turn = 'remember'");
    let count = |count: &str, more: &[&str]| {
        let ran = hook(&place, more, &prompt("hello"));
        let reason = ran.json()["reason"].as_str().map(str::to_owned);
        let reason = reason.unwrap_or_else(|| panic!("{ran:?}"));
        assert_eq!(reason.lines().last(), Some(count), "{reason}");
    };
    count("1", &[]);
    let daemon = Daemon::start(&place, &[]);
    count("2", &[]);
    count("3", &[]);
    // The daemon releases the session soon.
    count("4", &["--daemon", "never"]);
    count("5", &[]);
    // The hooks' state is stored before the event is answered.
    drop(daemon);
    count("6", &[]);
    let daemon = Daemon::start(&place, &[]);
    count("7", &[]);
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.ended(), Some(0));
    count("8", &[]);
}

/// A call uses all of its fuel, and a turn has the fuel of two calls.
#[test]
fn each_event_has_the_budget_of_a_turn_with_and_without_the_daemon() {
    let place = Place::new(
        "pre-tool-call = 'spin'\n[hooks.probe.limits]\nwall-ms = 86_400_000\n\
         fuel = 1_000_000\ndeadline-ms = 86_400_000\n[turn]\nfuel = 1_500_000\nhooks-ms = 86_400_000",
    );
    let check = || {
        let ran = hook(&place, &[], &prompt("hello"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
        for _ in 0..3 {
            let ran = hook(&place, &[], &tool_call("ls"));
            assert!(ran.out.contains("hook `probe` failed (fuel)"), "{ran:?}");
        }
    };
    check();
    let _daemon = Daemon::start(&place, &[]);
    check();
}

#[test]
fn the_hooks_of_a_link_are_those_of_its_directory() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let link = place.state().join("hooks");
    std::os::unix::fs::symlink(place.hooks.path(), &link).expect("a link");
    let by_link = |more: &[&str]| {
        let arguments = ["hook", "--dialect", "claude", "--hooks", text(&link)];
        let mut command = place.command(&[&arguments[..], more].concat());
        run_with_input(&mut command, &tool_call("ls").to_string())
    };
    let daemon = Daemon::start(&place, &[]);
    let ran = by_link(&["--verbose"]);
    assert!(ran.err.contains(IN_DAEMON), "{ran:?}");
    drop(daemon);
    // The error names the canonical directory, by which the daemon is found.
    std::fs::write(place.hooks.path().join("hooks.toml"), "none = 1").expect("the settings");
    let directory = place.hooks.path().canonicalize().expect("the directory");
    let said = format!("the hooks in {} do not load", directory.display());
    let ran = by_link(&["--daemon", "never"]);
    assert!(ran.err.contains(&said), "{ran:?}");
    let served = crate::support::run(&mut place.command(&["serve", "--hooks", text(&link)]));
    assert!(served.err.contains(&said), "{served:?}");
}

#[test]
fn verbose_names_what_nothing_does() {
    let place = Place::new("post-turn = 'contribute job tidy'");
    let mut stop = prompt("");
    stop["hook_event_name"] = "Stop".into();
    stop["stop_hook_active"] = false.into();
    let said = "post-turn: hook `probe` queued the job `tidy`, which no agent here runs";
    let ran = hook(&place, &["--verbose"], &stop);
    assert!(ran.err.contains(said), "{ran:?}");
    let _daemon = Daemon::start(&place, &[]);
    let ran = client(&place, &["--verbose"], &stop);
    assert!(ran.err.contains(said), "{ran:?}");
}
