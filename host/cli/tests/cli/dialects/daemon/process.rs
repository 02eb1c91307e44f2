//! The daemon process: its start, its log, and whether another may run.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::{Daemon, HERE, IN_DAEMON, by, hook, serve};
use crate::dialects::{Place, prompt, tool_call};
use crate::support::{run, text};

#[test]
fn a_daemon_is_started_on_demand() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let _ended = Detached(place.hooks.path());
    let ran = hook(
        &place,
        &["--daemon", "start", "--verbose"],
        &tool_call("ls"),
    );
    assert!(
        ran.err.contains("one is started for later events"),
        "{ran:?}"
    );
    assert!(ran.err.contains(HERE), "{ran:?}");
    let ran = loop {
        let ran = hook(&place, &["--verbose"], &tool_call("ls"));
        if !ran.err.contains("no daemon runs") {
            break ran;
        }
    };
    assert!(ran.err.contains(IN_DAEMON), "{ran:?}");
    let state = place.state().join("portcullis/run");
    let files = std::fs::read_dir(&state).expect("the directory");
    let names: Vec<_> = files
        .map(|file| file.expect("a file").file_name())
        .collect();
    assert!(
        names
            .iter()
            .any(|name| name.to_string_lossy().ends_with(".log")),
        "{names:?}"
    );
}

/// The daemon that was started for these hooks. It is ended when this is dropped.
struct Detached<'a>(&'a Path);

impl Drop for Detached<'_> {
    fn drop(&mut self) {
        let hooks = text(self.0).as_bytes();
        for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
            if words.contains(&hooks) && words.contains(&b"--detached".as_slice()) {
                let name = process.file_name();
                let pid = name.to_str().and_then(|name| name.parse().ok());
                if let Some(pid) = pid.and_then(rustix::process::Pid::from_raw) {
                    // It may have ended.
                    let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
                }
            }
        }
    }
}

#[test]
fn the_log_of_a_daemon_on_demand_is_bounded() {
    let place = Place::new("pre-tool-call = 'panic'");
    let log = place.state().join("daemon.log");
    std::fs::write(&log, "x".repeat(2 << 20)).expect("the log");
    let file = std::fs::File::options().append(true).open(&log);
    let mut serve = serve(&place, &["--detached"]);
    serve.stderr(file.expect("the log"));
    let daemon = Daemon::of(serve, 1);
    let ran = hook(&place, &["--verbose"], &tool_call("ls"));
    assert!(ran.err.contains(IN_DAEMON), "{ran:?}");
    daemon.signal(rustix::process::Signal::TERM);
    assert_eq!(daemon.ended(), Some(0));
    let log = std::fs::read_to_string(&log).expect("the log");
    assert!(log.contains("did not do its work"), "{} bytes", log.len());
    assert!(log.len() < 1 << 20, "{} bytes", log.len());
}

#[test]
fn a_daemon_deletes_the_sessions_that_are_not_kept() {
    let place = Place::new("");
    for id in ["old", "new"] {
        let mut event = prompt("hello");
        event["session_id"] = id.into();
        let ran = hook(&place, &["--daemon", "never"], &event);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let _daemon = Daemon::start(&place, &["--keep-bytes", "1"]);
    let listed = run(&mut place.bare(&["sessions", "list", "--json"])).json();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed[0]["id"], "new");
    let refused = run(&mut serve(&place, &["--no-store", "--keep-days", "1"]));
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("leave out --no-store"), "{refused:?}");
}

#[test]
fn a_second_daemon_of_the_same_hooks_is_refused() {
    let place = Place::new("");
    let first = Daemon::start(&place, &[]);
    let second = crate::support::run(&mut serve(&place, &[]));
    assert_eq!(second.code, Some(1), "{second:?}");
    assert!(second.err.contains("serves these hooks on"), "{second:?}");
    drop(first);
    // The first daemon's socket file remains.
    Daemon::start(&place, &[]);
}

#[test]
fn a_program_that_was_removed_says_so() {
    let place = Place::new("");
    std::fs::remove_file(place.hooks.path().join("probe.wasm")).expect("the probe");
    std::fs::write(place.hooks.path().join("hooks.toml"), "").expect("the settings");
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
    let program = dir.path().join("portcullis");
    std::fs::hard_link(env!("CARGO_BIN_EXE_portcullis"), &program).expect("the program");
    let hooks = text(place.hooks.path());
    let arguments = ["hook", "--dialect", "claude", "--hooks", hooks, "--verbose"];
    let mut command = by(text(&program), &place.command(&arguments));
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    std::fs::remove_file(&program).expect("the program");
    let mut stdin = child.stdin.take().expect("its input");
    stdin
        .write_all(tool_call("ls").to_string().as_bytes())
        .expect("it reads");
    drop(stdin);
    let ended = child.wait_with_output().expect("it ends");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{err}");
    assert!(err.contains("was removed or replaced"), "{err}");
}
