//! Hooks around a loop that knows nothing about them, as the book shows it.

use std::process::Command;

use portcullis::{Hooks, LoadOptions, SessionOptions};
use portcullis_agent::ToolGuard;
use portcullis_tests::{HooksDir, cache, component, root};

#[path = "../../host/agent/examples/guarded_loop.rs"]
mod guarded;
#[path = "../../host/agent/examples/plain_loop.rs"]
mod plain;

const PLAIN: &str = include_str!("../../host/agent/examples/plain_loop.rs");
const GUARDED: &str = include_str!("../../host/agent/examples/guarded_loop.rs");

/// Returns the lines of code, sorted.
fn code(source: &str) -> Vec<&str> {
    let lines = source.lines().map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
        .collect()
}

#[test]
fn the_hooks_take_fewer_than_twenty_lines() {
    let mut plain = code(PLAIN);
    let mut added = code(GUARDED);
    added.retain(|line| match plain.iter().position(|own| own == line) {
        Some(at) => {
            plain.remove(at);
            false
        }
        None => true,
    });
    assert!((8..20).contains(&added.len()), "{added:#?}");
    // The only other lines are the loop's own tool call, and that it does not wait.
    assert!(plain.len() <= 2, "{plain:#?}");
}

/// Runs in a process of its own, with a directory of its own.
#[test]
fn a_refused_call_does_not_run() {
    let place = tempfile::tempdir().expect("a directory");
    let dir = place.path().join("hooks");
    std::fs::create_dir(&dir).expect("a directory");
    std::fs::copy(component("path-jail"), dir.join("path-jail.wasm")).expect("a hook");
    std::fs::write(dir.join("hooks.toml"), "[hooks.path-jail]\n").expect("the settings");
    let cache = root()
        .canonicalize()
        .expect("the workspace")
        .join("target/test-cache");
    let status = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "guarded_loop::in_this_directory", "--ignored"])
        .current_dir(place.path())
        .env("XDG_CACHE_HOME", cache)
        .status();
    assert!(status.expect("it starts").success());
}

#[tokio::test]
#[ignore = "it is run by `a_refused_call_does_not_run`"]
async fn in_this_directory() {
    let mut ran = Vec::new();
    let mut paths = [r#"{"path":"../a"}"#, r#"{"path":"b"}"#].into_iter();
    let mut tools = |name: &str, arguments: &str| {
        ran.push(arguments.to_owned());
        format!("{name} ran")
    };
    let mut seen = Vec::new();
    let mut model = |told: &[String]| {
        seen = told.to_vec();
        match paths.next() {
            Some(path) => guarded::Said::Call("write_file".into(), path.into()),
            None => guarded::Said::Text("done".into()),
        }
    };
    let answer = guarded::run(&mut model, &mut tools)
        .await
        .expect("an answer");
    assert_eq!(answer, "done");
    assert!(
        seen[0].contains("hook `path-jail` refused the call"),
        "{seen:?}"
    );
    assert_eq!(seen[1], "write_file ran");
    assert_eq!(ran.len(), 1, "{ran:?}");

    // The loop without hooks runs every call.
    let mut asked = [plain::Said::Call("rm".into(), "{}".into())].into_iter();
    let mut model = |told: &[String]| asked.next().unwrap_or(plain::Said::Text(told.join("")));
    let answer = plain::run(&mut model, &mut |name, _| format!("{name} ran"));
    assert_eq!(answer.expect("an answer"), "rm ran");
}

#[tokio::test]
async fn an_answer_passes_the_hooks_after_the_call() {
    let settings =
        "pre-tool-call = \"answer from the hook\"\npost-tool-call = \"append , checked\"";
    let grants = r#"state = true
        events = true
        contribute = ["policy", "context", "section", "tools", "note", "job"]"#;
    let dir = HooksDir::new().with("probe").settings(&format!(
        "[hooks.probe.grants]\n{grants}\n[hooks.probe.config]\n{settings}\n"
    ));
    let load = LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &load).expect("hooks");
    let mut guard = ToolGuard::new(hooks.session(SessionOptions::new("s")), "tests");
    let output = guard.call("write", "{}", async |_| panic!("it ran")).await;
    assert_eq!(output.content, "from the hook, checked");
}
