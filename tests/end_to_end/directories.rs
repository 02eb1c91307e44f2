//! Directories: what was granted can be read or written, and nothing else can.

use std::fs;

use portcullis::{CallMode, Decision, Hooks, SessionOptions};
use portcullis_tests::{HooksDir, text, turn};

/// A hooks directory with the directories `in` and `out`, and a file beside them.
fn dir(grants: &str) -> HooksDir {
    let dir = HooksDir::new()
        .with("filer")
        .with_file("beside.txt", b"beside")
        .settings(&format!("[hooks.filer.grants]\n{grants}\n"));
    for name in ["in", "out"] {
        fs::create_dir(dir.path().join(name)).expect("a directory");
    }
    fs::write(dir.path().join("in/a.txt"), "within").expect("a file");
    dir
}

/// What the hook answers, or how it failed.
async fn ask(hooks: &Hooks, what: &str) -> Result<String, String> {
    let session = hooks.session(SessionOptions::new("session-1"));
    let mut call = turn(what);
    match session.run(&mut call).await.decision {
        Decision::Passed => Ok(text(&call)),
        other => Err(format!("{other:?}")),
    }
}

#[tokio::test]
async fn without_a_grant_there_are_no_files_and_the_hook_loads() {
    let hooks = dir("").load();
    assert_eq!(hooks.reports()[0].calling, CallMode::Sync);
    assert!(
        !hooks.reports()[0]
            .can()
            .iter()
            .any(|can| can.contains("files"))
    );
    assert_eq!(ask(&hooks, "hello").await.as_deref(), Ok("nothing"));
    for what in [
        "read in/a.txt",
        "read beside.txt",
        "read /etc/passwd",
        "write out/b.txt x",
    ] {
        assert!(ask(&hooks, what).await.is_err(), "{what}");
    }
}

#[tokio::test]
async fn a_directory_to_read_can_be_read_and_no_more() {
    let dir = dir("read = [\"in\"]");
    #[cfg(unix)]
    std::os::unix::fs::symlink("../beside.txt", dir.path().join("in/link.txt")).expect("a link");
    let hooks = dir.load();
    assert_eq!(hooks.reports()[0].calling, CallMode::Async);
    assert!(
        hooks.reports()[0]
            .can()
            .iter()
            .any(|can| can.contains("files"))
    );
    assert_eq!(ask(&hooks, "read in/a.txt").await.as_deref(), Ok("within"));
    for what in [
        "write in/a.txt x",
        "write in/new.txt x",
        "read in/../beside.txt",
        "read in/link.txt",
        "read beside.txt",
        "read /etc/passwd",
        "read out/a.txt",
    ] {
        assert!(ask(&hooks, what).await.is_err(), "{what}");
    }
    assert_eq!(
        fs::read_to_string(dir.path().join("in/a.txt")).expect("it"),
        "within"
    );
}

#[tokio::test]
async fn a_directory_to_write_can_be_written() {
    let dir = dir("write = [\"out\"]");
    let hooks = dir.load();
    let written = ask(&hooks, "write out/b.txt hello").await;
    assert_eq!(written.as_deref(), Ok("written"));
    assert_eq!(
        fs::read_to_string(dir.path().join("out/b.txt")).expect("it"),
        "hello"
    );
    assert!(ask(&hooks, "write out/../beside.txt x").await.is_err());
    assert_eq!(
        fs::read_to_string(dir.path().join("beside.txt")).expect("it"),
        "beside"
    );
}

#[tokio::test]
async fn a_directory_that_is_gone_by_then_fails_the_call_and_is_named() {
    let dir = dir("write = [\"out\"]");
    let hooks = dir.load();
    fs::remove_dir(dir.path().join("out")).expect("it is there");
    let failed = ask(&hooks, "write out/b.txt hello")
        .await
        .expect_err("a failure");
    assert!(failed.contains("`out` cannot be opened"), "{failed}");
}

#[test]
fn a_directory_that_cannot_be_granted_is_named() {
    for (grants, said) in [
        (
            "read = [\"none\"]",
            "the directory `none`, which is not there",
        ),
        (
            "read = [\"beside.txt\"]",
            "`beside.txt`, which is no directory",
        ),
        ("write = [\".\"]", "no hook may write"),
    ] {
        let error = dir(grants).try_load().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    }
}
