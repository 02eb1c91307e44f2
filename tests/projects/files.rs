//! Files of the directories that a hook is granted, with the functions that its language has for them; without a grant
//! there are none.

use std::fs;

use portcullis::{Decision, Hooks, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::c_imports::imports;
use super::granted::loaded;

const GRANTS: &str = "read = [\"in\"]\nwrite = [\"out\"]";

/// What the hook says.
async fn ask(hooks: &Hooks, action: &str) -> String {
    let session = hooks.session(SessionOptions::new("test"));
    match session.run(&mut turn(action)).await.decision {
        Decision::Rejected { rejection, .. } => rejection.reason,
        other => panic!("{action}: {other:?}"),
    }
}

#[tokio::test]
async fn in_typescript() {
    let source = ("src/hook.ts", include_str!("files/hook.ts"));
    let dir = loaded(Language::TypeScript, source, GRANTS);
    for name in ["in", "in/below", "out"] {
        fs::create_dir(dir.path().join(name)).expect("a directory");
    }
    fs::write(dir.path().join("in/a.txt"), "wîthin").expect("a file");
    fs::write(dir.path().join("beside.txt"), "beside").expect("a file");
    let link = dir.path().join("out/link");
    std::os::unix::fs::symlink("nowhere", &link).expect("a link");
    let hooks = dir.load();
    for (action, said) in [
        ("read in/a.txt", "wîthin"),
        ("read ./in/below/../a.txt", "wîthin"),
        ("bytes in/a.txt", "7"),
        ("list in", "a.txt below/"),
        ("write out/b.txt more", "more+"),
        ("write out/b.txt x", "x+"),
        ("tree out", "1 false"),
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
            "read in/none.txt",
            "ENOENT: no such file or directory, open 'in/none.txt'",
        ),
        (
            "read in",
            "EISDIR: illegal operation on a directory, open 'in'",
        ),
        (
            "read beside.txt",
            "ENOENT: no such file or directory, open 'beside.txt'",
        ),
        (
            "read in/../beside.txt",
            "ENOENT: no such file or directory, open 'in/../beside.txt'",
        ),
        (
            "read /etc/passwd",
            "ENOENT: no such file or directory, open '/etc/passwd'",
        ),
        (
            "list none",
            "ENOENT: no such file or directory, scandir 'none'",
        ),
    ] {
        assert_eq!(ask(&hooks, action).await, said, "{action}");
    }
    assert!(link.symlink_metadata().is_err(), "the link is removed");
    let written = fs::read_to_string(dir.path().join("out/b.txt"));
    assert_eq!(written.expect("the file"), "x+");
    let refused = ask(&hooks, "write in/b.txt x").await;
    assert!(refused.contains("open 'in/b.txt'"), "{refused}");
    assert!(!dir.path().join("in/b.txt").exists(), "{refused}");

    let without = loaded(Language::TypeScript, source, "");
    let said = ask(&without.load(), "read in/a.txt").await;
    assert_eq!(said, "ENOENT: no such file or directory, open 'in/a.txt'");
}

/// A hook that uses no file reaches none.
#[test]
fn what_is_not_used_is_not_imported() {
    let source = "import { defineHook, proceed } from \"portcullis\";\n\
         export default defineHook({ id: \"my-hook\", description: \"Uses no file.\", preTurn: () => proceed() });\n";
    let dir = loaded(Language::JavaScript, ("src/hook.js", source), "");
    let component = fs::read(dir.path().join("my-hook.wasm")).expect("the component");
    let found = imports(&component);
    assert!(!found.contains_key("preopens"), "{found:?}");
}
