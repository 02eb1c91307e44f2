//! Hooks that change while `portcullis run` runs.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;

use crate::support::{built, directory, portcullis, text};

/// The longest wait: far longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// The grants of the observer.
const AUDIT: &str = "[hooks.audit-log.grants]\nevents = true\n";

/// A part of the event of one of its runs.
const RUN: &str = r#""point":"pre-turn","hook":"audit-log""#;

const TURNS: &str = r#"{ "model": "m", "responses": [{ "text": "One." }, { "text": "Two." }, { "text": "Three." }] }"#;

/// A session that continues while its hooks change.
struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    seen: Vec<String>,
    _script: tempfile::TempDir,
}

impl Live {
    /// Starts a session. Its lines are those of the standard output or of the standard error.
    fn start(hooks: &Path, more: &[&str], from_stdout: bool) -> Self {
        let script = tempfile::tempdir().unwrap();
        fs::write(script.path().join("script.json"), TURNS).unwrap();
        let provider = format!("scripted:{}", text(&script.path().join("script.json")));
        let mut arguments = vec!["run", "--provider", &provider, "--no-journal"];
        arguments.extend(["--hooks", text(hooks)]);
        arguments.extend(more);
        let mut child = portcullis(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (send, lines) = channel();
        let read = move |wanted: bool, stream: Box<dyn std::io::Read + Send>| {
            let send = wanted.then(|| send.clone());
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if let Some(send) = &send {
                        let _ = send.send(line);
                    }
                }
            });
        };
        read(from_stdout, Box::new(stdout));
        read(!from_stdout, Box::new(stderr));
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            seen: Vec::new(),
            _script: script,
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits for a line that holds this.
    fn wait(&mut self, part: &str) -> String {
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(part) {
                        return line;
                    }
                }
                Err(_) => panic!("no `{part}` in {:#?}", self.seen),
            }
        }
    }

    fn end(mut self) {
        drop(self.stdin.take());
        assert!(self.child.wait().unwrap().success(), "{:#?}", self.seen);
    }
}

/// Replaces an existing file.
fn put(dir: &Path, name: &str, bytes: &[u8]) {
    let beside = dir.join("beside");
    fs::write(&beside, bytes).unwrap();
    fs::rename(&beside, dir.join(name)).unwrap();
}

/// Returns a hook with another digest.
fn variant(name: &str) -> Vec<u8> {
    let mut bytes = fs::read(built().join(name)).unwrap();
    bytes.extend(b"\0\x02\x01n");
    bytes
}

#[test]
fn changes_are_shown_while_the_user_is_at_the_prompt() {
    let config = "[hooks.input-guardrail.config]\npatterns = [\"x\"]\n";
    let dir = directory(
        &["audit-log", "input-guardrail"],
        &format!("{AUDIT}{config}"),
    );
    let mut live = Live::start(dir.path(), &[], false);
    live.wait("2 hooks armed");
    put(dir.path(), "audit-log.wasm", &variant("audit-log.wasm"));
    assert!(live.wait("hook reloaded").contains("↻ 1 hook"));
    assert!(live.wait("~ audit-log").contains(" → "));
    put(dir.path(), "audit-log.wasm", b"");
    assert!(live.wait("! not loaded:").contains("is empty"));
    live.wait("audit-log runs as before");
    fs::remove_file(dir.path().join("input-guardrail.wasm")).unwrap();
    live.wait("- input-guardrail");
    live.wait("! the guard input-guardrail was removed: it no longer guards anything");
    put(dir.path(), "hooks.toml", b"[hoks]");
    live.wait("the hooks were not reloaded; all run as before");
    live.wait("hooks.toml:1");
    live.end();
}

#[test]
fn as_json_reloads_are_lines_and_runs_name_their_component() {
    let dir = directory(&["audit-log"], AUDIT);
    let mut live = Live::start(dir.path(), &["--json"], true);
    let component = |line: &str| -> String {
        let run: Value = serde_json::from_str(line).unwrap();
        run["component"].as_str().unwrap().to_owned()
    };
    live.say(r#"{"type":"input","text":"one"}"#);
    let old = component(&live.wait(RUN));
    live.wait("\"event\":\"turn-ended\"");
    put(dir.path(), "audit-log.wasm", &variant("audit-log.wasm"));
    let told: Value = serde_json::from_str(&live.wait("\"event\":\"hooks-reloaded\"")).unwrap();
    let change = &told["changes"][0];
    assert_eq!(
        (&change["hook"], &change["before"]),
        (&"audit-log".into(), &old.into())
    );
    live.say(r#"{"type":"input","text":"two"}"#);
    let new = component(&live.wait(RUN));
    assert_eq!(change["after"], new.as_str());
    live.end();
}

#[cfg(unix)]
#[test]
fn without_a_watch_a_signal_has_them_loaded_again() {
    let dir = directory(&["audit-log"], AUDIT);
    let mut live = Live::start(dir.path(), &["--json", "--no-watch"], true);
    live.say(r#"{"type":"input","text":"one"}"#);
    live.wait("\"event\":\"turn-ended\"");
    put(dir.path(), "audit-log.wasm", &variant("audit-log.wasm"));
    // Long enough for a watch to have noticed it.
    std::thread::sleep(Duration::from_secs(1));
    let before = live.lines.try_iter().collect::<Vec<_>>();
    assert!(
        !before.iter().any(|line| line.contains("hooks-reloaded")),
        "{before:#?}"
    );
    let hangup = std::process::Command::new("kill")
        .args(["-HUP", &live.child.id().to_string()])
        .status();
    assert!(hangup.unwrap().success());
    live.wait("\"event\":\"hooks-reloaded\"");
    live.end();
}
