//! `portcullis dev`: a file changes, and the new table is shown.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::{built, portcullis, text};

/// The longest wait: far longer than any machine needs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A command whose output is read while it runs.
pub(crate) struct Running {
    child: Child,
    lines: Receiver<String>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (tell, lines) = channel();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let tell_err = tell.clone();
        std::thread::spawn(move || {
            BufReader::new(out)
                .lines()
                .map_while(Result::ok)
                .for_each(|l| drop(tell.send(l)))
        });
        std::thread::spawn(move || {
            BufReader::new(err)
                .lines()
                .map_while(Result::ok)
                .for_each(|l| drop(tell_err.send(l)))
        });
        Self { child, lines }
    }

    /// Returns the lines until all these texts were in them. Errors are on another stream than the
    /// rest.
    pub(crate) fn until(&self, said: &[&str]) -> String {
        let end = Instant::now() + PATIENCE;
        let mut seen = String::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    seen.push_str(&line);
                    seen.push('\n');
                    if said.iter().all(|said| seen.contains(said)) {
                        return seen;
                    }
                }
                Err(_) => panic!("{said:?} did not come; there came:\n{seen}"),
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Replaces a file at once, so that it is never read half written.
pub(crate) fn replace(file: &Path, bytes: &[u8]) {
    let next = file.with_extension("next");
    fs::write(&next, bytes).unwrap();
    fs::rename(next, file).unwrap();
}

#[test]
fn a_change_is_tested_and_what_goes_otherwise_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let component = dir.path().join("hook.wasm");
    let cases = dir.path().join("tests");
    let case = cases.join("greets.toml");
    fs::create_dir(&cases).unwrap();
    replace(
        &component,
        &fs::read(built().join("canned-answer.wasm")).unwrap(),
    );
    let written = |answer: &str| {
        format!(
            "point = \"pre-turn\"\nviews.content = \"help\"\n[config.answers]\nhelp = \"Ask me.\"\n\
             [expect]\noutcome = \"answer\"\nvalue = [{{ text = \"{answer}\" }}]\n"
        )
    };
    fs::write(&case, written("Ask me.")).unwrap();
    let mut command = portcullis(&["dev", "--component", text(&component)]);
    command.args(["--cases", text(&cases), "--case", "greets", "--trace"]);
    let mut dev = Running::start(&mut command);

    let first = dev.until(&["waiting for a change"]);
    assert!(first.contains("1 case"), "{first}");
    assert!(!first.contains("otherwise than before"), "{first}");
    assert!(first.contains("pre-turn-answer.answer("), "{first}");

    replace(&case, written("Go away.").as_bytes());
    let second = dev.until(&["waiting for a change"]);
    assert!(second.contains("greets.toml"), "{second}");
    assert!(second.contains("pre-turn-answer.answer("), "{second}");
    assert!(
        second.contains("passes with answer → fails with answer"),
        "{second}"
    );

    // Another component does not know the config: the error is printed, and watching continues.
    replace(
        &component,
        &fs::read(built().join("path-jail.wasm")).unwrap(),
    );
    dev.until(&["cannot be run", "waiting for a change"]);
    replace(&component, b"no component");
    dev.until(&["is not WebAssembly", "waiting for a change"]);

    replace(&case, written("Ask me.").as_bytes());
    dev.until(&["is not WebAssembly", "waiting for a change"]);
    replace(
        &component,
        &fs::read(built().join("canned-answer.wasm")).unwrap(),
    );
    let again = dev.until(&["waiting for a change"]);
    assert!(
        again.contains("cannot be run → passes with answer"),
        "{again}"
    );

    // SAFETY: a signal to a process of ours that has not been waited for.
    assert_eq!(
        unsafe { libc::kill(dev.child.id() as libc::pid_t, libc::SIGINT) },
        0
    );
    dev.until(&["no longer watching"]);
    assert_eq!(dev.child.wait().unwrap().code(), Some(0));
}
