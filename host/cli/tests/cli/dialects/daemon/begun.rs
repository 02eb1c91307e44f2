//! Events that the daemon has begun when it ends.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::{Daemon, by, hook};
use crate::dialects::{Place, tool_call};
use crate::support::{Ran, run_with_input, text};

/// A hook that writes to one pipe when it begins, and reads from another before it ends.
struct Waiting {
    place: Place,
    begun: PathBuf,
    end: PathBuf,
}

impl Waiting {
    fn at(point: &str) -> Self {
        let place = Place::new("");
        let dir = place.hooks.path().parent().expect("a directory");
        let name = place.hooks.path().file_name().expect("a name");
        let path = |ending: &str| dir.join(format!("{}.{ending}", name.display()));
        let (begun, end) = (path("begun"), path("end"));
        for pipe in [&begun, &end] {
            let made = Command::new("mkfifo").arg(pipe).status().expect("mkfifo");
            assert!(made.success());
        }
        let script = format!("echo > {}; read line < {}", text(&begun), text(&end));
        let settings = format!(
            "[scripts.wait]\ncommand = [\"sh\", \"-c\", \"{script}\"]\npoints = [\"{point}\"]\n\
             timeout-ms = 600000\n"
        );
        std::fs::remove_file(place.hooks.path().join("probe.wasm")).expect("the probe");
        std::fs::write(place.hooks.path().join("hooks.toml"), settings).expect("the settings");
        Self { place, begun, end }
    }

    /// Asks about an event, and waits until the hook has begun.
    fn asked(&self, program: &'static str, event: Value) -> std::thread::JoinHandle<Ran> {
        let hooks = text(self.place.hooks.path());
        let arguments = ["hook", "--dialect", "claude", "--hooks", hooks];
        let mut command = by(program, &self.place.command(&arguments));
        let asked = std::thread::spawn(move || run_with_input(&mut command, &event.to_string()));
        std::fs::read_to_string(&self.begun).expect("it begins");
        asked
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        for pipe in [&self.begun, &self.end] {
            let _ = std::fs::remove_file(pipe);
        }
    }
}

#[test]
fn an_event_that_the_daemon_had_begun_is_blocked_when_it_dies() {
    for program in [
        env!("CARGO_BIN_EXE_portcullis"),
        env!("CARGO_BIN_EXE_portcullis-client"),
    ] {
        let waiting = Waiting::at("pre-tool-call");
        let daemon = Daemon::start(&waiting.place, &[]);
        let asked = waiting.asked(program, tool_call("ls"));
        daemon.signal(rustix::process::Signal::KILL);
        let ran = asked.join().expect("it ends");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains("the daemon did not answer"), "{ran:?}");
        // The dead daemon's socket file remains, and the next event does not need it.
        assert!(Path::new(daemon.said[0].trim_start_matches("unix:")).exists());
        std::fs::write(waiting.place.hooks.path().join("hooks.toml"), "").expect("the settings");
        let ran = hook(&waiting.place, &[], &tool_call("ls"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
        assert!(ran.err.contains("has no hooks"), "{ran:?}");
        let _replaces = Daemon::start(&waiting.place, &[]);
    }
}

#[test]
fn a_session_whose_start_was_not_decided_is_refused() {
    let waiting = Waiting::at("session-start");
    let daemon = Daemon::start(&waiting.place, &[]);
    let start = json!({
        "session_id": "s", "cwd": "/work", "hook_event_name": "SessionStart", "source": "startup",
    });
    let asked = waiting.asked(env!("CARGO_BIN_EXE_portcullis"), start.clone());
    daemon.signal(rustix::process::Signal::KILL);
    assert_eq!(asked.join().expect("it ends").code, Some(2));
    drop(daemon);
    // Agents continue without a decision.
    std::fs::write(waiting.place.hooks.path().join("hooks.toml"), "").expect("the settings");
    let refused = hook(&waiting.place, &[], &tool_call("ls"));
    assert!(refused.out.contains("refused at its start"), "{refused:?}");
    let started = hook(&waiting.place, &[], &start);
    assert_eq!((started.code, started.out.as_str()), (Some(0), ""));
    let passed = hook(&waiting.place, &[], &tool_call("ls"));
    assert_eq!((passed.code, passed.out.as_str()), (Some(0), ""));
}

#[test]
fn a_call_that_has_begun_is_answered_when_the_daemon_is_ended() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let waiting = Waiting::at("pre-tool-call");
        let daemon = Daemon::start(&waiting.place, &[]);
        let asked = waiting.asked(env!("CARGO_BIN_EXE_portcullis"), tool_call("ls"));
        daemon.signal(signal);
        std::fs::write(&waiting.end, "\n").expect("it waits");
        let ran = asked.join().expect("it ends");
        assert_eq!(
            (ran.code, ran.out.as_str(), ran.err.as_str()),
            (Some(0), "", "")
        );
        let socket = daemon.said[0].trim_start_matches("unix:").to_owned();
        assert_eq!(daemon.ended(), Some(0));
        assert!(!Path::new(&socket).exists());
    }
}
