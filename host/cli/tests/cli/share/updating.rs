//! A tag that now leads to another component.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::registry::Registry;
use super::server::{Answer, Server};
use super::signatures::{Key, key, trusting};
use super::{Ran, add, check, command, directory, hook, publish, read, refused};
use crate::support::{run, text};

fn update(dir: &Path, options: &[&str]) -> Ran {
    run(command(&["update", "--hooks", text(dir)]).args(options))
}

/// Writes `audit-log` with the id `path-jail`: it serves more points and sends events.
fn disguised(dir: &Path) -> PathBuf {
    let mut bytes = fs::read(hook("audit-log")).unwrap();
    let (from, to) = (b"audit-log", b"path-jail");
    for at in 0..bytes.len() - from.len() {
        if &bytes[at..at + from.len()] == from {
            bytes[at..at + to.len()].copy_from_slice(to);
        }
    }
    let file = dir.join("disguised.wasm");
    fs::write(&file, bytes).unwrap();
    file
}

/// Two versions under one tag, of which the first was added.
struct Moved {
    registry: Registry,
    source: String,
    dir: TempDir,
    second: PathBuf,
    _scratch: TempDir,
}

fn moved(settings: &str) -> Option<Moved> {
    let registry = Registry::start()?;
    let source = registry.name("acme/path-jail:1");
    let dir = directory(settings);
    publish(&hook("path-jail"), &source, &[]);
    let ran = add(dir.path(), &source, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let scratch = tempfile::tempdir().unwrap();
    Some(Moved {
        registry,
        source,
        dir,
        second: disguised(scratch.path()),
        _scratch: scratch,
    })
}

#[test]
fn a_moved_tag_is_noticed_and_its_new_import_is_shown() {
    let Some(moved) = moved("") else { return };
    let dir = moved.dir.path();
    let ran = update(dir, &[]);
    assert_eq!(
        (ran.code, ran.out.contains("is the current one")),
        (Some(0), true),
        "{ran:?}"
    );
    publish(&moved.second, &moved.source, &[]);
    let before = (
        read(dir, "hooks.lock"),
        read(dir, "hooks.toml"),
        fs::read(dir.join("path-jail.wasm")).unwrap(),
    );
    let cases = dir.join("cases/path-jail");
    let without = update(dir, &["--dry-run"]);
    let says = format!("not compared: there are no cases in {}", cases.display());
    assert!(without.out.contains(&says), "{without:?}");
    fs::create_dir_all(&cases).unwrap();
    let case = "point = \"pre-tool-call\"\ninput.name = \"read_file\"\nviews.tool-data.input = { path = \"../a\" }\n[expect]\noutcome = \"continue\"\n";
    fs::write(cases.join("outside.toml"), case).unwrap();
    for options in [&["--dry-run"][..], &[], &["--json"]] {
        let ran = update(dir, options);
        assert!(ran.out.contains("portcullis:hooks/events@"), "{ran:?}");
        assert!(ran.out.contains("post-turn"), "{}", ran.out);
        assert!(ran.out.contains("events = true"), "{}", ran.out);
        let now = (
            read(dir, "hooks.lock"),
            read(dir, "hooks.toml"),
            fs::read(dir.join("path-jail.wasm")).unwrap(),
        );
        assert!(now == before, "{options:?} changed something");
    }
    let shown = update(dir, &["--json"]).json();
    let imports = shown[0]["differences"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["what"] == "imports")
        .unwrap();
    assert!(
        imports["added"]
            .to_string()
            .contains("portcullis:hooks/events@"),
        "{imports}"
    );
    assert_eq!(shown[0]["verdicts"]["cases"], 1, "{shown}");
    assert_eq!(
        shown[0]["verdicts"]["changes"].as_array().unwrap().len(),
        1,
        "{shown}"
    );
    let ran = update(dir, &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        fs::read(dir.join("path-jail.wasm")).unwrap(),
        fs::read(&moved.second).unwrap()
    );
    assert!(read(dir, "hooks.toml").contains("events = true"));
    assert_eq!(check(dir).code, Some(0));
    drop(moved.registry);
}

#[test]
fn what_is_not_signed_does_not_replace_what_was() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let key = key();
    let (dir, _) = trusting(&key);
    let source = registry.name("acme/path-jail:1");
    publish(&hook("path-jail"), &source, &["--sign", text(&key.private)]);
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    // The policy is relaxed, and the tag leads to an unsigned component.
    let settings = read(dir.path(), "hooks.toml");
    fs::write(
        dir.path().join("hooks.toml"),
        format!("[trust]\nrequire = \"none\"\n{settings}"),
    )
    .unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let second = disguised(scratch.path());
    publish(&second, &source, &[]);
    refused(&update(dir.path(), &["--yes"]), "was signed by `acme`");
    publish(&second, &source, &["--sign", text(&key.private)]);
    let ran = update(dir.path(), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn another_hook_under_the_same_tag_is_no_update() {
    let Some(moved) = moved("") else { return };
    publish(&hook("audit-log"), &moved.source, &[]);
    refused(
        &update(moved.dir.path(), &["--yes"]),
        "add it as another hook",
    );
    refused(
        &update(moved.dir.path(), &["audit-log"]),
        "knows no source of `audit-log`: it was not added with `portcullis add`, or its file was changed and pinned since",
    );
}

#[test]
fn a_hook_without_a_source_keeps_no_other_from_its_update() {
    let Some(moved) = moved("") else { return };
    publish(&moved.second, &moved.source, &[]);
    let ran = update(
        moved.dir.path(),
        &["path-jial", "path-jail", "--yes", "--json"],
    );
    refused(&ran, "path-jial was not updated");
    let updated = ran.json();
    let [known, unknown] = updated.as_array().unwrap().as_slice() else {
        panic!("{updated:#}");
    };
    assert_eq!(known["id"], "path-jail");
    assert_eq!(known["written"], true, "{known:#}");
    assert_eq!(
        (&unknown["id"], &unknown["from"]),
        (&"path-jial".into(), &Value::Null)
    );
    let error = unknown["error"].as_str().unwrap();
    assert!(error.contains("did you mean `path-jail`?"), "{error}");
}

/// Returns `path-jail` with another version.
fn versioned(version: &str) -> Vec<u8> {
    let mut bytes = fs::read(hook("path-jail")).unwrap();
    let from = b"path-jail0.1.0";
    let at = bytes.windows(from.len()).position(|part| part == from);
    let at = at.expect("the id and the version") + "path-jail".len();
    bytes[at..at + version.len()].copy_from_slice(version.as_bytes());
    bytes
}

#[test]
fn an_older_version_is_no_update_unless_it_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hook.wasm");
    let dir = directory("");
    fs::write(&source, versioned("2.0.0")).unwrap();
    assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
    fs::write(&source, versioned("1.9.0")).unwrap();
    refused(
        &update(dir.path(), &["--yes"]),
        "it leads to version 1.9.0, which is older than 2.0.0",
    );
    let ran = update(dir.path(), &["path-jail", "--yes", "--to", text(&source)]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::write(&source, versioned("2.0.0")).unwrap();
    assert_eq!(update(dir.path(), &["--yes"]).code, Some(0));
}

#[test]
fn of_versions_that_cannot_be_compared_only_a_named_one_is_taken() {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hook.wasm");
    for (old, new) in [("01.10", "01.09"), ("v2.00", "v1.00"), ("1.0.0", "01.00")] {
        let dir = directory("");
        fs::write(&source, versioned(old)).unwrap();
        assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
        fs::write(&source, versioned(new)).unwrap();
        refused(
            &update(dir.path(), &["--yes"]),
            "Which one is older is not known",
        );
        let ran = update(dir.path(), &["path-jail", "--yes", "--to", text(&source)]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

#[test]
fn a_hook_that_cannot_be_updated_keeps_no_other_from_it() {
    let scratch = tempfile::tempdir().unwrap();
    let [gone, there] = ["audit-log", "path-jail"].map(|id| scratch.path().join(id));
    let dir = directory("");
    fs::copy(hook("audit-log"), &gone).unwrap();
    fs::write(&there, versioned("1.0.0")).unwrap();
    for source in [&gone, &there] {
        assert_eq!(add(dir.path(), text(source), &["--yes"]).code, Some(0));
    }
    fs::remove_file(&gone).unwrap();
    fs::write(&there, versioned("1.1.0")).unwrap();
    let ran = update(dir.path(), &["--yes", "--json"]);
    refused(&ran, "audit-log was not updated");
    let [first, second] = ran.json().as_array().unwrap().clone().try_into().unwrap();
    assert!(
        first["error"].as_str().unwrap().contains(text(&gone)),
        "{first}"
    );
    assert_eq!(
        (&first["written"], &first["to"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        (&second["written"], &second["error"]),
        (&true.into(), &serde_json::Value::Null)
    );
}

#[test]
fn a_file_that_is_not_the_pinned_one_is_not_called_current() {
    let dir = directory("");
    let source = hook("path-jail");
    assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
    let file = dir.path().join("path-jail.wasm");
    fs::copy(hook("audit-log"), &file).unwrap();
    refused(&update(dir.path(), &[]), "is not the component that");
    fs::remove_file(&file).unwrap();
    refused(&update(dir.path(), &[]), "the component is gone");
}

#[test]
fn what_another_signed_is_no_update_unless_that_signer_is_named() {
    let Some(registry) = Registry::start() else {
        return;
    };
    let (acme, helper) = (key(), key());
    let settings = "[trust.keys]\nacme = \"acme.pub\"\nhelper = \"helper.pub\"\n";
    let dir = directory(settings);
    fs::copy(&acme.public, dir.path().join("acme.pub")).unwrap();
    fs::copy(&helper.public, dir.path().join("helper.pub")).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("hook.wasm");
    let source = registry.name("acme/path-jail:1");
    let sign = |version: &str, key: &Key| {
        fs::write(&file, versioned(version)).unwrap();
        publish(&file, &source, &["--sign", text(&key.private)])
    };
    sign("1.0.0", &helper);
    assert_eq!(add(dir.path(), &source, &["--yes"]).code, Some(0));
    sign("1.1.0", &acme);
    refused(
        &update(dir.path(), &["--yes"]),
        "was signed by `helper`, and this one by `acme`",
    );
    let shown = update(dir.path(), &["--json", "--signer", "acme"]);
    let signer = &shown.json()[0]["differences"][1];
    assert_eq!(signer["what"], "signer", "{shown:?}");
    assert_eq!(signer["added"][0], "acme", "{shown:?}");
    // If both have signed the version, the signer of the installed version counts.
    sign("1.1.0", &helper);
    let ran = update(dir.path(), &["--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lock = read(dir.path(), "hooks.lock");
    assert!(lock.contains("signer = \"helper\""), "{lock}");
    sign("1.2.0", &acme);
    let ran = update(dir.path(), &["--yes", "--signer", "acme"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Returns the same component with other bytes: it has one more section, which has no meaning.
fn touched(component: &Path) -> Vec<u8> {
    let mut bytes = fs::read(component).unwrap();
    bytes.extend([0, 2, 1, b'x']);
    bytes
}

#[test]
fn an_update_that_nobody_agreed_to_reaches_nothing() {
    let server = Server::new(|_| Answer::new(200, "{\"result\":{\"allow\":true}}"));
    let port = server.address.rsplit(':').next().unwrap();
    let url = format!("http://localhost:{port}/v1");
    let dir = directory(&format!(
        "[hooks.policy-server.grants]\nhttp = [\"POST {url} at 127.0.0.1\"]\n\
         [hooks.policy-server.config]\nurl = \"{url}\"\n"
    ));
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hook.wasm");
    fs::copy(hook("policy-server"), &source).unwrap();
    assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
    fs::write(&source, touched(&source)).unwrap();
    let cases = dir.path().join("cases/policy-server");
    fs::create_dir_all(&cases).unwrap();
    let case = "point = \"pre-tool-call\"\ninput.name = \"a\"\nviews.tool-data.input = {}\n";
    let expected = "[expect]\noutcome = \"continue\"\n";
    fs::write(cases.join("asks.toml"), format!("{case}{expected}")).unwrap();
    // One case has grants of its own, which hooks.toml lacks.
    let grants = "[grants]\nviews = [\"tool-data\"]\nread = [\".\"]\n";
    fs::write(cases.join("own.toml"), format!("{case}{grants}{expected}")).unwrap();
    for options in [&["--dry-run"][..], &[]] {
        let ran = update(dir.path(), options);
        assert!(ran.out.contains("the same in all 2 cases"), "{ran:?}");
    }
    let shown = update(dir.path(), &["--json"]).json();
    let not_run = shown[0]["verdicts"]["not-run"].as_array();
    assert!(not_run.is_none_or(Vec::is_empty), "{shown}");
    // The cases ran in directories of their own, and asked no server.
    assert_eq!(server.heads(), [""; 0]);
}

#[test]
fn an_update_is_compared_with_what_was_agreed_to() {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hook.wasm");
    let dir = directory("");
    fs::copy(hook("path-jail"), &source).unwrap();
    assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
    // An earlier update was killed after it had written the file.
    fs::copy(disguised(scratch.path()), &source).unwrap();
    fs::copy(&source, dir.path().join("path-jail.wasm")).unwrap();
    let lock = read(dir.path(), "hooks.lock");
    for options in ["--dry-run", "--json", "--yes"] {
        refused(
            &update(dir.path(), &[options]),
            "what is different cannot be shown",
        );
    }
    assert_eq!(read(dir.path(), "hooks.lock"), lock);
    // The fix that the error named.
    let trust = [
        "hooks",
        "trust",
        "path-jail",
        "--yes",
        "--hooks",
        text(dir.path()),
    ];
    let ran = run(&mut command(&trust));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(check(dir.path()).code, Some(0));
}

/// Returns a file beside which no file can be created: its path has the maximum length.
#[cfg(target_os = "linux")]
fn unwritable(dir: &Path) -> PathBuf {
    let mut deep = dir.to_owned();
    loop {
        let left = 4090 - deep.as_os_str().len();
        match left {
            0..3 => break,
            _ => deep.push("d".repeat((left - 1).min(200))),
        }
    }
    fs::create_dir_all(&deep).unwrap();
    deep.join("h")
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_settings_cannot_be_written_file_and_lock_stay_as_they_are() {
    let scratch = tempfile::tempdir().unwrap();
    let source = scratch.path().join("hook.wasm");
    fs::copy(hook("path-jail"), &source).unwrap();
    let settings = unwritable(scratch.path());
    let dir = directory("");
    let linked = dir.path().join("hooks.toml");
    let link = || {
        fs::write(&settings, read(dir.path(), "hooks.toml")).unwrap();
        let _ = fs::remove_file(&linked);
        std::os::unix::fs::symlink(&settings, &linked).unwrap();
    };
    link();
    let ran = add(dir.path(), text(&source), &["--yes"]);
    refused(&ran, "cannot be written");
    assert_eq!(super::names(dir.path()), ["hooks.toml"]);
    fs::remove_file(&linked).unwrap();
    assert_eq!(add(dir.path(), text(&source), &["--yes"]).code, Some(0));
    // It needs one grant more, so that the settings are written too.
    fs::copy(disguised(scratch.path()), &source).unwrap();
    link();
    let before = (
        read(dir.path(), "hooks.lock"),
        fs::read(dir.path().join("path-jail.wasm")).unwrap(),
    );
    let ran = update(dir.path(), &["--yes"]);
    refused(&ran, "cannot be written");
    let now = (
        read(dir.path(), "hooks.lock"),
        fs::read(dir.path().join("path-jail.wasm")).unwrap(),
    );
    assert!(now == before, "{ran:?}");
}
