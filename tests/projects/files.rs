//! The files of granted directories, through the functions of each language. Without a grant, a
//! hook finds no file.

use std::fs;
use std::os::unix::fs::symlink;

use portcullis::{Decision, Hooks, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::{HooksDir, turn};

use super::c_imports::imports;
use super::granted::loaded;

const GRANTS: &str = "read = [\"in\"]\nwrite = [\"out\"]";

/// The actions that succeed in every language.
const WORKS: &[(&str, &str)] = &[
    ("read in/a.txt", "wîthin"),
    ("read ./in/below/../a.txt", "wîthin"),
    ("bytes in/a.txt", "7"),
    ("list in", "a.txt below/ leaves ner.txt"),
    ("list in/below", ""),
    ("write out/b.txt more", "more+"),
    ("write out/b.txt x", "x+"),
    ("tree out", "1 false"),
];

/// Paths of files that do not exist for the hook. The last one would be the path of a file in a
/// directory, if the two names were joined without the separator.
const ABSENT: &[&str] = &[
    "in/none.txt",
    "beside.txt",
    "in/../beside.txt",
    "in/../../etc/passwd",
    "/etc/passwd",
    "inner.txt",
];

/// Returns the hook's answer.
async fn ask(hooks: &Hooks, action: &str) -> String {
    let session = hooks.session(SessionOptions::new("test"));
    match session.run(&mut turn(action)).await.decision {
        Decision::Rejected { rejection, .. } => rejection.reason,
        other => panic!("{action}: {other:?}"),
    }
}

/// Creates the hook's directory, with files.
fn with_files(language: Language, source: (&str, &str)) -> HooksDir {
    let dir = loaded(language, source, GRANTS);
    for name in ["in", "in/below", "out"] {
        fs::create_dir(dir.path().join(name)).expect("a directory");
    }
    for (name, text) in [
        ("in/a.txt", "wîthin"),
        ("in/ner.txt", ""),
        ("beside.txt", ""),
    ] {
        fs::write(dir.path().join(name), text).expect("a file");
    }
    symlink("../beside.txt", dir.path().join("in/leaves")).expect("a link");
    dir
}

/// Performs the actions that succeed, and requests absent files, for which the language returns
/// `absent`. A file reached by a link that leads out of the directory, a file that may not be
/// written, and a file in a directory that is not granted are errors.
async fn behaves(language: Language, source: (&str, &str), absent: impl Fn(&str) -> String) {
    let dir = with_files(language, source);
    let hooks = dir.load();
    for (action, said) in WORKS {
        assert_eq!(ask(&hooks, action).await, *said, "{language}: {action}");
    }
    for path in ABSENT {
        let said = ask(&hooks, &format!("read {path}")).await;
        assert_eq!(said, absent(path), "{language}");
    }
    let left = ask(&hooks, "read in/leaves").await;
    assert!(left.contains("in/leaves"), "{language}: {left}");
    let written = fs::read_to_string(dir.path().join("out/b.txt"));
    assert_eq!(written.expect("the file"), "x+");
    let refused = ask(&hooks, "write in/b.txt x").await;
    assert!(refused.contains("in/b.txt"), "{language}: {refused}");
    assert!(!dir.path().join("in/b.txt").exists(), "{refused}");

    let without = dir.settings("[hooks.my-hook.grants]\nviews = [\"content\"]\n");
    let said = ask(&without.load(), "read in/a.txt").await;
    assert_eq!(said, absent("in/a.txt"), "{language}");
}

#[tokio::test]
async fn in_typescript() {
    let source = ("src/hook.ts", include_str!("files/hook.ts"));
    let absent = |path: &str| format!("ENOENT: no such file or directory, open '{path}'");
    behaves(Language::TypeScript, source, absent).await;
    let dir = with_files(Language::TypeScript, source);
    let link = dir.path().join("out/link");
    symlink("nowhere", &link).expect("a link");
    fs::write(dir.path().join("out/b.txt"), "x").expect("a file");
    let hooks = dir.load();
    for (action, said) in [
        ("mkdir out", "made"),
        (
            "mkdir out/b.txt",
            "EEXIST: file already exists, mkdir 'out/b.txt'",
        ),
        (
            "mkdir out/b.txt/c",
            "ENOTDIR: not a directory, mkdir 'out/b.txt/c'",
        ),
        ("rm out/link", "removed"),
        ("rm out/none.txt", "removed"),
        (
            "read in",
            "EISDIR: illegal operation on a directory, open 'in'",
        ),
        (
            "list none",
            "ENOENT: no such file or directory, scandir 'none'",
        ),
    ] {
        assert_eq!(ask(&hooks, action).await, said, "{action}");
    }
    assert!(link.symlink_metadata().is_err(), "the link is removed");
}

#[tokio::test]
async fn in_go() {
    let source = ("hook.go", include_str!("files/hook.go"));
    let absent = |path: &str| format!("open {path}: No such file or directory");
    behaves(Language::Go, source, absent).await;
}

#[tokio::test]
async fn in_python() {
    let source = ("src/hook.py", include_str!("files/hook.py"));
    let absent = |path: &str| format!("[Errno 44] No such file or directory: '{path}'");
    behaves(Language::Python, source, absent).await;
    let dir = with_files(Language::Python, source);
    let hooks = dir.load();
    let link = "a hook in Python has no files, so it cannot follow links";
    for (action, said) in [
        ("read in", "[Errno 31] Is a directory: 'in'"),
        ("list none", "[Errno 44] No such file or directory: 'none'"),
        ("lines out/c.txt", "two|three"),
        ("real in/below/../a.txt", "/in/a.txt"),
        ("real in/leaves", link),
        (
            "real beside.txt",
            "a path that is in no directory that is granted may be a link",
        ),
    ] {
        assert_eq!(ask(&hooks, action).await, said, "{action}");
    }
}

/// A hook that uses no file imports no file functions.
#[test]
fn what_is_not_used_is_not_imported() {
    let source = "import { defineHook, proceed } from \"portcullis\";\n\
         export default defineHook({ id: \"my-hook\", description: \"Uses no file.\", preTurn: () => proceed() });\n";
    let dir = loaded(Language::JavaScript, ("src/hook.js", source), "");
    let component = fs::read(dir.path().join("my-hook.wasm")).expect("the component");
    let found = imports(&component);
    assert!(!found.contains_key("preopens"), "{found:?}");
}
