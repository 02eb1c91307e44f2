//! The command while it runs.

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::scene::Scene;

/// The longest wait: far longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A command that prints lines of JSON and reads lines.
pub struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    pub seen: Vec<Value>,
}

impl Live {
    /// `portcullis run --json` in the scene.
    pub fn run(scene: &Scene, arguments: &[&str]) -> Self {
        Self::of(scene.command(&[&["run", "--json"], arguments].concat()))
    }

    /// Starts any command.
    pub fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let stdout = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let _ = send.send(line);
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
            seen: Vec::new(),
        }
    }

    /// Writes a line to its input.
    pub fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Writes a request to its input.
    pub fn request(&mut self, request: Value) {
        check("request", &request);
        self.say(&request.to_string());
    }

    /// Closes its input.
    pub fn close_input(&mut self) {
        drop(self.stdin.take());
    }

    /// Waits for an event of this name.
    pub fn wait(&mut self, event: &str) -> Value {
        loop {
            let Ok(line) = self.lines.recv_timeout(PATIENCE) else {
                panic!("no `{event}` in {:#?}", self.seen);
            };
            let line = self.see(&line);
            if line["event"] == event {
                return line;
            }
        }
    }

    /// Keeps an event, which must be one of the published schema.
    fn see(&mut self, line: &str) -> Value {
        let event: Value = serde_json::from_str(line).unwrap();
        check("event", &event);
        self.seen.push(event.clone());
        event
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Kills the process once it has printed this many lines. All its whole lines are then in `seen`.
    pub fn kill(&mut self, after: u32) {
        let lines: Vec<String> = (0..after)
            .map_while(|_| self.lines.recv_timeout(PATIENCE).ok())
            .collect();
        self.child.kill().unwrap();
        for line in lines {
            self.see(&line);
        }
        self.child.wait().unwrap();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.seen.extend(serde_json::from_str::<Value>(&line));
        }
    }

    /// Waits for the process to end. Returns its exit code; all its lines are in `seen` then.
    pub fn end(&mut self) -> Option<i32> {
        let code = self.child.wait().unwrap().code();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.see(&line);
        }
        code
    }

    /// Returns the names of the events so far, without hook runs.
    pub fn names(&self) -> Vec<&str> {
        super::scene::names(&self.seen)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks a line against the published schema.
fn check(direction: &str, line: &Value) {
    static SCHEMA: LazyLock<Value> = LazyLock::new(portcullis_cli::protocol_schema);
    let schema = json!({
        "$defs": SCHEMA["$defs"],
        "allOf": [SCHEMA["properties"][direction]],
    });
    let fits = jsonschema::validator_for(&schema).unwrap().validate(line);
    assert!(fits.is_ok(), "{line}: {fits:?}");
}

/// Returns a model that runs a command which ends when the gate is [opened](open_gate), and then
/// answers.
pub fn gated(before: &str) -> String {
    format!(
        r#"{{ "responses": [{before}
            {{ "tool_calls": [{{ "id": "g-1", "name": "run_command", "arguments": {{ "command": "cat gate" }} }}] }},
            {{ "text": "Done." }}, {{ "text": "Again." }}
        ] }}"#
    )
}

/// Makes the gate, which is a pipe.
pub fn make_gate(scene: &Scene) {
    let made = Command::new("mkfifo").arg(scene.path("gate")).status();
    assert!(made.unwrap().success());
}

/// Waits until a command is at the gate. It waits there until the result is dropped.
pub fn at_gate(scene: &Scene) -> File {
    let mut gate = OpenOptions::new();
    // A pipe without a reader can be opened only in the mode without waiting, which then fails.
    gate.write(true).custom_flags(libc::O_NONBLOCK);
    let begun = Instant::now();
    loop {
        match gate.open(scene.path("gate")) {
            Ok(gate) => return gate,
            Err(cause) => assert!(
                begun.elapsed() < PATIENCE,
                "no command came to the gate: {cause}"
            ),
        }
        sleep(Duration::from_millis(10));
    }
}

/// Waits until a command is at the gate, and lets it end.
pub fn open_gate(scene: &Scene) {
    at_gate(scene).write_all(b"open").unwrap();
}
