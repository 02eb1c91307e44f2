//! `hooks.lock`: differing files are refused, or loaded and named.

use std::fs;

use portcullis::hooks::{HooksError, LoadError, LoadErrors, LoadFault, Stage};
use portcullis::lock::{LOCK_NAME, Lock};
use portcullis::settings::Settings;
use portcullis::{Hooks, LoadOptions};
use portcullis_tests::{HooksDir, cache, component};

const REPORT: &str = "[integrity]\non-mismatch = \"report\"\n";

/// Creates a directory with two hooks, pinned.
fn locked(settings: &str) -> HooksDir {
    let dir = HooksDir::new()
        .with("tiny")
        .with("sleeper")
        .settings(settings);
    pin(&dir);
    dir
}

fn options<'a>() -> LoadOptions<'a> {
    LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    }
}

fn pin(dir: &HooksDir) {
    let settings = Settings::of_dir(dir.path()).expect("settings");
    let lock = portcullis::lock::lock(dir.path(), &settings, &options()).expect("a lock");
    lock.write(dir.path()).expect("a write");
}

fn errors(loaded: Result<Hooks, HooksError>) -> Vec<LoadError> {
    match loaded {
        Err(HooksError::Load(LoadErrors(errors))) => errors,
        other => panic!("{other:?}"),
    }
}

/// Returns a component that is not pinned.
fn other() -> Vec<u8> {
    fs::read(component("path-jail")).expect("a component")
}

/// A way in which a directory can differ from its lock.
type Action = fn(&HooksDir);

/// Every difference, the file that the error names, and parts of its text.
const ACTIONS: [(&str, Action, &str, &[&str]); 4] = [
    (
        "another component under the name",
        |dir| {
            fs::write(dir.path().join("tiny.wasm"), other()).expect("a write");
        },
        "tiny.wasm",
        &[
            "is not the file that hooks.lock pins",
            "put the pinned file back",
        ],
    ),
    (
        "one more",
        |dir| {
            fs::write(dir.path().join("more.wasm"), other()).expect("a write");
        },
        "more.wasm",
        &["is not in hooks.lock", "hooks lock --update"],
    ),
    (
        "one less",
        |dir| fs::remove_file(dir.path().join("sleeper.wasm")).expect("it is there"),
        "sleeper.wasm",
        &["is not in the directory", "put it back"],
    ),
    (
        "another id in the lock",
        |dir| {
            let mut lock = Lock::of_dir(dir.path()).expect("a lock").expect("a lock");
            let tiny = lock.components.get_mut("tiny.wasm").expect("tiny");
            tiny.id = "other".into();
            lock.write(dir.path()).expect("a write");
        },
        "tiny.wasm",
        &["calls itself `tiny`", "pins it as `other`"],
    ),
];

#[test]
fn what_is_pinned_loads() {
    let dir = locked("");
    let hooks = dir.load();
    assert_eq!(hooks.reports().len(), 2);
    let report = serde_json::to_value(&hooks.reports()[0]).expect("json");
    assert_eq!(report["pin"], "pinned");
}

#[test]
fn what_differs_from_the_lock_is_refused_with_cause_and_fix() {
    for (name, action, file, said) in ACTIONS {
        let dir = locked("");
        action(&dir);
        let errors = errors(dir.try_load());
        assert_eq!(errors.len(), 1, "{name}: {errors:?}");
        assert_eq!(errors[0].stage, Stage::Lock, "{name}");
        let text = errors[0].to_string();
        for said in said.iter().chain([&file]) {
            assert!(text.contains(said), "{name}: {text}");
        }
    }
}

#[test]
fn both_digests_are_named() {
    let dir = locked("");
    let before = fs::read(component("tiny")).expect("a component");
    let after = other();
    fs::write(dir.path().join("tiny.wasm"), &after).expect("a write");
    let error = errors(dir.try_load()).remove(0).to_string();
    for bytes in [before, after] {
        let digest = portcullis::verdict::Digest::of(&bytes).to_string();
        assert!(error.contains(&digest), "{error}");
    }
}

#[test]
fn what_differs_is_loaded_and_named_if_the_operator_says_so() {
    for (name, action, file, said) in ACTIONS {
        let dir = locked(REPORT);
        action(&dir);
        let hooks = dir.load();
        assert!(hooks.broken().is_empty(), "{name}");
        let [unpinned] = &hooks.unpinned()[..] else {
            panic!("{name}: {:?}", hooks.unpinned());
        };
        let text = unpinned.to_string();
        assert!(
            text.contains(file) && text.contains(said[0]),
            "{name}: {text}"
        );
    }
}

#[test]
fn a_lock_may_be_required() {
    let required = "[integrity]\nlock = \"required\"\non-mismatch = \"report\"\n";
    let dir = HooksDir::new().with("tiny").settings(required);
    let errors = errors(dir.try_load());
    assert_eq!(errors[0].fault, LoadFault::NoLock);
    pin(&dir);
    assert_eq!(dir.load().reports().len(), 1);
}

#[test]
fn a_lock_that_is_none_refuses_everything() {
    for settings in ["", REPORT] {
        let dir = HooksDir::new()
            .with("tiny")
            .settings(settings)
            .with_file(LOCK_NAME, b"components = 3\n");
        let errors = errors(dir.try_load());
        assert!(
            matches!(errors[0].fault, LoadFault::BadLock(_)),
            "{errors:?}"
        );
        assert!(errors[0].file.ends_with(LOCK_NAME));
    }
}

#[test]
fn what_is_refused_is_left_out_and_named_where_broken_hooks_are_skipped() {
    let dir = locked("");
    fs::write(dir.path().join("tiny.wasm"), other()).expect("a write");
    let hooks = Hooks::load(
        dir.path(),
        &LoadOptions {
            skip_broken: true,
            ..options()
        },
    )
    .expect("the others");
    assert_eq!(hooks.reports().len(), 1);
    assert_eq!(hooks.broken().len(), 1);
}

#[test]
fn what_differs_is_not_even_compiled() {
    let dir = locked("").with_file("tiny.wasm", b"\0asm\x0d\0\x01\0nonsense");
    let errors = errors(dir.try_load());
    assert_eq!((errors.len(), errors[0].stage), (1, Stage::Lock));
}

#[test]
fn what_differs_and_does_not_load_is_told_as_both() {
    let dir = locked(REPORT).with_file("tiny.wasm", b"\0asm\x0d\0\x01\0nonsense");
    let errors = errors(dir.try_load());
    let stages: Vec<Stage> = errors.iter().map(|error| error.stage).collect();
    assert_eq!(stages, [Stage::Lock, Stage::Compile], "{errors:?}");
}

#[cfg(unix)]
#[test]
fn links_are_loaded_only_within_the_directory_and_only_if_that_is_said() {
    use std::os::unix::fs::symlink;
    let allow = "[integrity]\nsymlinks = true\n";
    let make = |settings: &str, to: &std::path::Path| {
        let dir = HooksDir::new().settings(settings);
        fs::create_dir(dir.path().join("v1")).expect("a directory");
        fs::copy(component("tiny"), dir.path().join("v1/tiny.wasm")).expect("a copy");
        symlink(to, dir.path().join("tiny.wasm")).expect("a link");
        dir
    };
    let inside = std::path::Path::new("v1/tiny.wasm");
    assert_eq!(make(allow, inside).load().reports().len(), 1);
    assert_eq!(
        errors(make("", inside).try_load())[0].fault,
        LoadFault::Symlink
    );
    let outside = errors(make(allow, &component("tiny")).try_load()).remove(0);
    assert!(
        matches!(outside.fault, LoadFault::LinkLeaves { .. }),
        "{outside}"
    );
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_a_link_is_refused_also_where_links_are_allowed() {
    let dir = locked("[integrity]\nsymlinks = true\n");
    assert_eq!(dir.load().reports().len(), 2);
    let lock = dir.path().join(LOCK_NAME);
    fs::rename(&lock, dir.path().join("real.lock")).expect("a lock");
    std::os::unix::fs::symlink("real.lock", &lock).expect("a link");
    let errors = errors(dir.try_load());
    assert!(
        matches!(errors[0].fault, LoadFault::BadLock(_)),
        "{errors:?}"
    );
    assert!(errors[0].to_string().contains("it is a symbolic link"));
}
