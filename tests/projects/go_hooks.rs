//! Ordinary Go code works in a hook, and a failure names its place and reason.

use std::fs;

use portcullis::observer::LogLevel;
use portcullis::verdict::Cause;
use portcullis_project::Language;

use super::c_imports::imports;
use super::from_nothing::{built, make, point};
use super::ordinary::Ordinary;

const SOURCE: &str = include_str!("ordinary/hook.go");

/// The hook's grants.
const GRANTS: &str =
    "[hooks.my-hook.grants]\nviews = [\"content\"]\nstate = true\nshared-state = [\"mine\"]\n";

#[tokio::test]
async fn in_go() {
    let hook = Ordinary::granted(Language::Go, &[("hook.go", SOURCE)], GRANTS);
    hook.behaves().await;
    for (action, said) in [
        ("date", "1970-01-01T00:00:00Z"),
        ("goroutines", "45"),
        ("state", "true <nil> truemanytrue false true false"),
        ("garbage", "8007"),
    ] {
        assert_eq!(hook.says(action).await, said, "{action}");
    }
    for (action, cause, says) in [
        (
            "crash",
            Cause::Trap,
            "index out of range [3] with length 0 (hook.go:33, hook.go:54)",
        ),
        ("crash elsewhere", Cause::Trap, "hook.go:33"),
        ("exit", Cause::Trap, "leaving"),
        (
            "deadlock",
            Cause::Trap,
            "all goroutines are asleep - deadlock!",
        ),
        ("wrapped", Cause::GuestError, "no key"),
        (
            "nil",
            Cause::Trap,
            "a contract.ContentPart is nil (hook.go:",
        ),
    ] {
        let (failed, message) = hook.fails(action).await;
        assert_eq!(failed, cause, "{action}: {message}");
        assert!(message.contains(says), "{action}: {message}");
    }
    let (said, lines) = hook.act("log").await;
    assert_eq!(said, Ok(String::new()));
    let expected = [
        (LogLevel::Warn, "odd word=\"two words\" count=2 level=high"),
        (LogLevel::Debug, "fine"),
        (LogLevel::Info, "old"),
    ];
    let expected = expected.map(|(level, line)| (level, line.to_owned()));
    assert_eq!(lines, expected);
}

/// The host's values may be larger than the area that is set aside for them, and a collection may
/// begin there.
#[tokio::test]
async fn a_hook_in_go_reads_what_is_large() {
    let hook = Ordinary::granted(Language::Go, &[("hook.go", SOURCE)], GRANTS);
    for count in [2, 1000, 100_000, 1_000_000] {
        let action = "ü".repeat(count);
        assert_eq!(hook.says(&action).await, format!("{} üü", 2 * count));
    }
    let large = "ü".repeat(500_000);
    let said = hook.calls(&[large.as_str(); 30]).await;
    assert!(said.iter().all(|said| said == "1000000 üü"), "{said:?}");
}

/// A hook that waits for nothing and opens nothing imports clocks, random numbers and the outputs,
/// and cannot wait.
#[test]
fn a_hook_in_go_imports_little_of_wasi() {
    let dir = tempfile::tempdir().expect("a directory");
    let project = make(dir.path(), Language::Go, vec![point("pre-turn")]);
    let source = include_str!("../../docs/hooks/word-filter/hook.go");
    fs::write(dir.path().join("hook.go"), source).expect("the source");
    let imports = imports(&built(&project));
    let own = ["content", "failure", "logging", "pre-turn-answer", "store"];
    let names: Vec<&str> = imports
        .keys()
        .map(String::as_str)
        .filter(|name| !own.contains(name))
        .collect();
    let wasi = [
        "monotonic-clock",
        "random",
        "stderr",
        "stdout",
        "streams",
        "wall-clock",
    ];
    assert_eq!(names, wasi, "{imports:?}");
    let answers = imports["pre-turn-answer"].iter();
    assert_eq!(answers.collect::<Vec<_>>(), ["reject"]);
    let clock = imports["monotonic-clock"].iter();
    assert_eq!(clock.collect::<Vec<_>>(), ["now"]);
}
