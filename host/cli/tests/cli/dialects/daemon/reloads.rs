//! A daemon's output when its hooks change.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::{Daemon, serve};
use crate::dialects::Place;

/// The longest wait: far longer than anything takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for a line with each of these parts, in this order.
fn wait(lines: &Receiver<String>, parts: &[&str]) {
    let mut seen = Vec::new();
    for part in parts {
        loop {
            let Ok(line) = lines.recv_timeout(PATIENCE) else {
                panic!("no `{part}` in {seen:#?}");
            };
            let found = line.contains(part);
            seen.push(line);
            if found {
                break;
            }
        }
    }
}

#[test]
fn each_reload_is_reported_on_the_standard_error() {
    let place = Place::new("pre-tool-call = 'reject no'");
    let mut serve = serve(&place, &["--no-store"]);
    serve.stderr(Stdio::piped());
    let mut daemon = Daemon::of(serve, 1);
    let (send, lines) = channel();
    let stderr = BufReader::new(daemon.process.stderr.take().expect("its standard error"));
    std::thread::spawn(move || {
        for line in stderr.lines().map_while(Result::ok) {
            let _ = send.send(line);
        }
    });
    let path = |name: &str| place.hooks.path().join(name);
    let settings = fs::read_to_string(path("hooks.toml")).expect("the settings");

    fs::write(path("bad.wasm"), "garbage").expect("a file");
    wait(&lines, &["bad.wasm"]);
    fs::remove_file(path("bad.wasm")).expect("the file");
    wait(&lines, &["all hooks load again"]);

    let audited = settings.replace(
        "[hooks.probe.grants]",
        "[hooks.probe]\nmode = \"audit\"\n[hooks.probe.grants]",
    );
    fs::write(path("hooks.toml"), audited).expect("the settings");
    wait(
        &lines,
        &["~ probe", "! the guard probe is disabled, only audited"],
    );

    fs::write(path("hooks.toml"), "[hoks]").expect("the settings");
    wait(
        &lines,
        &[
            "! the hooks were not reloaded; all run as before",
            "hooks.toml:1",
        ],
    );
    fs::write(path("hooks.toml"), &settings).expect("the settings");
    wait(&lines, &["~ probe"]);

    fs::write(path("probe.wasm"), "garbage").expect("the probe");
    wait(&lines, &["probe.wasm", "probe runs as before"]);

    fs::remove_file(path("probe.wasm")).expect("the probe");
    wait(
        &lines,
        &["! the guard probe was removed: it no longer guards anything"],
    );
}
