//! Directories: granted ones can be read or written, and nothing else can.

use std::fs;

use portcullis::capabilities::CallMode;
use portcullis::hooks::CacheChoice;
use portcullis::reload::Reload;
use portcullis::{Decision, Hooks, LoadOptions, SessionOptions};
use portcullis_tests::{HooksDir, text, turn};

/// Creates a hooks directory with the directories `in` and `out`, and a file beside them.
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

/// Returns the hook's answer, or its failure.
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
            .reach()
            .reach
            .iter()
            .any(|reach| reach.contains("files"))
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
            .reach()
            .reach
            .iter()
            .any(|reach| reach.contains("files"))
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

/// A directory is read in pieces: every entry is returned, and none twice.
#[tokio::test]
async fn a_directory_is_listed_whole() {
    let dir = dir("read = [\"in\"]");
    let mut names = vec!["a.txt".to_owned(), "sub/".to_owned()];
    fs::create_dir(dir.path().join("in/sub")).expect("a directory");
    for index in 0..300 {
        let name = format!("{index:03}");
        fs::write(dir.path().join("in").join(&name), "").expect("a file");
        names.push(name);
    }
    names.sort();
    let hooks = dir.load();
    for _ in 0..2 {
        assert_eq!(ask(&hooks, "list in").await, Ok(names.join(" ")));
    }
    assert_eq!(ask(&hooks, "list in/sub").await.as_deref(), Ok(""));
    assert!(ask(&hooks, "list in/a.txt").await.is_err());
    assert!(ask(&hooks, "list out").await.is_err());
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
async fn a_directory_that_is_gone_by_then_has_no_files() {
    let dir = dir("write = [\"out\"]");
    let hooks = dir.load();
    fs::remove_dir(dir.path().join("out")).expect("it is there");
    fs::create_dir(dir.path().join("out")).expect("another one");
    assert!(ask(&hooks, "write out/b.txt hello").await.is_err());
    assert!(!dir.path().join("out/b.txt").exists());
}

/// An instance that is started later has the directory that was opened, and not its replacement:
/// here a link that leads out.
#[cfg(unix)]
#[tokio::test]
async fn every_instance_has_the_directory_that_was_opened_when_the_hook_was_loaded() {
    let dir = dir("write = [\"out\"]\n[hooks.filer]\nisolation = \"call\"");
    let hooks = dir.load();
    let path = |name: &str| dir.path().join(name);
    fs::rename(path("out"), path("was")).expect("a directory");
    std::os::unix::fs::symlink(".", path("out")).expect("a link");
    assert!(ask(&hooks, "read out/beside.txt").await.is_err());
    let written = ask(&hooks, "write out/b.txt hello").await;
    assert_eq!(written.as_deref(), Ok("written"));
    assert!(path("was/b.txt").exists() && !path("b.txt").exists());
    // A reload does not follow the link either, and the hook stays as it was.
    dir.put(
        "hooks.toml",
        b"[hooks.filer]\npriority = 7\n[hooks.filer.grants]\nwrite = [\"out\"]\n",
    );
    match hooks.reload() {
        Reload::Done(reloaded) => {
            assert!(reloaded.errors[0].to_string().contains("symbolic link"));
            assert_eq!(reloaded.kept.len(), 1);
        }
        other => panic!("{other:?}"),
    }
    assert!(ask(&hooks, "read out/beside.txt").await.is_err());
}

/// A hook may not write where another one's grant begins, nor may one grant contain another.
#[test]
fn grants_that_nest_are_refused_where_the_outer_one_may_be_written() {
    let two = |filer: &str, other: &str| {
        let toml = format!("[hooks.filer.grants]\n{filer}\n[hooks.filed.grants]\n{other}\n");
        let dir = HooksDir::new()
            .with("filer")
            .with_renamed("filer", "filed")
            .settings(&toml);
        fs::create_dir_all(dir.path().join("out/in")).expect("a directory");
        dir.try_load().err().map(|error| error.to_string())
    };
    for (filer, other, said) in [
        (
            "write = [\"out\"]",
            "read = [\"out/in\"]",
            "filed.wasm: was granted the directory `out/in`, which is within `out`, which `filer` may write",
        ),
        (
            "write = [\"out/in\"]",
            "write = [\"./out/in/..\"]",
            "filer.wasm: was granted the directory `out/in`, which is within `./out/in/..`, which `filed` may write",
        ),
        (
            "write = [\"out\", \"out/in\"]",
            "",
            "`out/in`, which is within `out`, which it may write",
        ),
    ] {
        let error = two(filer, other).expect(said);
        assert!(error.contains(said), "{error}");
    }
    for (filer, other) in [
        ("read = [\"out\"]", "write = [\"out/in\"]"),
        ("write = [\"out\"]", "read = [\"out\"]"),
        ("write = [\"out\"]", "write = [\"out\"]"),
    ] {
        assert_eq!(two(filer, other), None);
    }
}

/// No hook may write files that are read or run because of the hooks directory.
#[cfg(unix)]
#[test]
fn a_grant_to_write_holds_nothing_that_loading_reads() {
    use std::os::unix::fs::symlink;
    let load = |toml: &str| {
        let dir = dir(&format!("write = [\"out\"]\n{toml}"));
        for file in ["key", "root.pem", "check.sh"] {
            fs::write(dir.path().join("out").join(file), "x").expect("a file");
        }
        dir
    };
    for (toml, said) in [
        (
            "[secrets]\nKEY = { file = \"out/key\" }",
            "the secret `KEY`",
        ),
        ("[http]\nroots = [\"out/root.pem\"]", "root.pem"),
        (
            "[scripts.check]\ncommand = [\"./out/check.sh\"]\npoints = [\"pre-turn\"]",
            "the script `check`",
        ),
        (
            "[scripts.check]\ncommand = [\"sh\", \"out/check.sh\"]\npoints = [\"pre-turn\"]",
            "the script `check`",
        ),
    ] {
        let error = load(toml).try_load().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
        assert!(
            error.contains("filer.wasm: was granted to write the directory `out`"),
            "{error}"
        );
    }
    // By links, too.
    let linked = load("[integrity]\nsymlinks = true");
    let component = linked.path().join("filer.wasm");
    fs::rename(&component, linked.path().join("out/filer.wasm")).expect("a file");
    symlink("out/filer.wasm", &component).expect("a link");
    let error = linked.try_load().expect_err("an error").to_string();
    assert!(error.contains("the hook "), "{error}");
    let linked = load("");
    let settings = linked.path().join("hooks.toml");
    fs::rename(&settings, linked.path().join("out/hooks.toml")).expect("a file");
    symlink("out/hooks.toml", &settings).expect("a link");
    let error = linked.try_load().expect_err("an error").to_string();
    assert!(error.contains("hooks.toml"), "{error}");
    // A file in a directory that a hook may write is not loaded at a reload either.
    let running = load("");
    let hooks = running.load();
    running.put(
        "hooks.toml",
        b"[hooks.filer.grants]\nwrite = [\"out\"]\n[secrets]\nKEY = { file = \"out/key\" }\n",
    );
    assert!(matches!(hooks.reload(), Reload::Refused(_)));
}

/// The compile cache contains code that is run.
#[test]
fn a_grant_to_write_does_not_hold_the_compile_cache() {
    let dir = dir("write = [\"out\"]");
    let error = Hooks::load(
        dir.path(),
        &LoadOptions {
            cache: CacheChoice::Dir(dir.path().join("out/cache")),
            ..LoadOptions::default()
        },
    )
    .expect_err("an error");
    assert!(error.to_string().contains("the compile cache"), "{error}");
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
