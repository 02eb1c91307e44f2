//! The changes that take effect during a compilation.

use std::sync::Arc;

use portcullis::hooks::CacheChoice;
use portcullis::reload::{Reload, WatchOptions};
use portcullis::{Decision, Hooks, LoadOptions, SessionOptions};
use portcullis_tests::{HooksDir, component, hook, probe, renamed, turn, variant};

use super::{Gate, Told, large, options, worker};

const REJECTS: &str = "pre-turn = \"reject\"";

/// Creates a directory with a probe that rejects turns, loaded with a compiler that the gate holds
/// back.
fn rejecting(gate: &Gate) -> (HooksDir, Hooks) {
    let dir = HooksDir::new().with("probe").settings(&probe(REJECTS));
    let hooks = Hooks::load(dir.path(), &options(worker(&[&gate.file()]))).expect("hooks");
    (dir, hooks)
}

async fn rejects(session: &portcullis::Session) -> bool {
    let verdict = session.run(&mut turn("hello")).await;
    matches!(verdict.decision, Decision::Rejected { .. })
}

#[tokio::test]
async fn a_hook_is_disabled_while_another_file_is_compiled() {
    let gate = Gate::new();
    let (dir, hooks) = rejecting(&gate);
    let session = hooks.session(SessionOptions::new("test"));
    assert!(rejects(&session).await);
    let (told, _listening) = Told::of(&hooks);
    gate.close();
    dir.put("large.wasm", &large("tiny"));
    dir.put(
        "hooks.toml",
        hook("probe", "enabled = false", REJECTS).as_bytes(),
    );
    let reload = tokio::task::spawn_blocking({
        let hooks = hooks.clone();
        move || hooks.reload()
    });
    told.soon("compiling large.wasm").await;
    assert_eq!(
        told.all(),
        ["applied: probe Changed", "compiling large.wasm"]
    );
    assert!(!rejects(&session).await);
    // The new hook is not loaded yet.
    assert_eq!(hooks.summaries().len(), 1);
    gate.open();
    let Reload::Done(done) = reload.await.expect("a reload") else {
        panic!("it is not done");
    };
    let changed: Vec<_> = done.changes.iter().map(|c| c.hook.to_string()).collect();
    assert_eq!(changed, ["probe", "tiny"]);
    assert!(done.settings && done.errors.is_empty() && done.compiling.is_empty());
    assert_eq!(told.all().last().expect("a line"), "applied: tiny Added");
    assert_eq!(hooks.summaries().len(), 2);
}

#[tokio::test]
async fn what_is_written_while_a_file_is_compiled_is_seen_too() {
    let gate = Gate::new();
    let (dir, hooks) = rejecting(&gate);
    let session = hooks.session(SessionOptions::new("test"));
    let (told, _listening) = Told::of(&hooks);
    let often = WatchOptions {
        settle: std::time::Duration::from_millis(50),
        poll: std::time::Duration::from_millis(100),
    };
    let _watch = hooks.watch(often).expect("a watch");
    gate.close();
    dir.put("probe.wasm", &variant("probe", "new"));
    told.soon("compiling probe.wasm").await;
    // The old one runs until the new one is compiled.
    assert!(rejects(&session).await);
    dir.put(
        "hooks.toml",
        hook("probe", "enabled = false", REJECTS).as_bytes(),
    );
    told.soon("applied: probe Changed").await;
    assert!(!rejects(&session).await);
    assert_eq!(told.count("compiling probe.wasm"), 1);
    gate.open();
}

#[tokio::test]
async fn components_take_effect_as_they_are_compiled() {
    let gate = Gate::new();
    let dir = HooksDir::new().with("probe").settings(&probe(REJECTS));
    let cache = tempfile::tempdir().expect("a directory");
    let cached = |compiler| LoadOptions {
        cache: CacheChoice::Dir(cache.path().join("compiled")),
        ..options(compiler)
    };
    let hooks = Hooks::load(dir.path(), &cached(worker(&[&gate.file()]))).expect("hooks");
    // Another host has compiled it before.
    let other = HooksDir::new().with("tiny");
    Hooks::load(other.path(), &cached(worker(&[]))).expect("hooks");
    let (told, _listening) = Told::of(&hooks);
    gate.close();
    dir.put(
        "tiny.wasm",
        &std::fs::read(component("tiny")).expect("a file"),
    );
    dir.put("twins.wasm", &renamed("probe", "twins"));
    let settings = [probe(REJECTS), hook("twins", "", REJECTS)].concat();
    dir.put("hooks.toml", settings.as_bytes());
    let reload = tokio::task::spawn_blocking({
        let hooks = hooks.clone();
        move || hooks.reload()
    });
    told.soon("compiling twins.wasm").await;
    assert_eq!(told.all(), ["applied: tiny Added", "compiling twins.wasm"]);
    gate.open();
    reload.await.expect("a reload");
    assert_eq!(told.all().last().expect("a line"), "applied: twins Added");
}

/// A hook that was moved to another file, and changed, is never missing.
#[tokio::test]
async fn a_removed_hook_stays_until_a_new_file_is_compiled() {
    let gate = Gate::new();
    let (dir, hooks) = rejecting(&gate);
    let session = hooks.session(SessionOptions::new("test"));
    let (told, _listening) = Told::of(&hooks);
    gate.close();
    dir.put("moved.wasm", &variant("probe", "new"));
    dir.take("probe.wasm");
    let reload = tokio::task::spawn_blocking({
        let hooks = hooks.clone();
        move || hooks.reload()
    });
    told.soon("compiling moved.wasm").await;
    assert!(rejects(&session).await);
    gate.open();
    reload.await.expect("a reload");
    assert!(rejects(&session).await);
    assert_eq!(
        told.all(),
        ["compiling moved.wasm", "applied: probe Changed"]
    );
}

#[tokio::test]
async fn what_did_not_compile_is_not_compiled_again_by_a_reload() {
    let limited = |bytes: u64| {
        format!(
            "{}\n[engine]\ncompile-memory-bytes = {bytes}\n",
            probe(REJECTS)
        )
    };
    let dir = HooksDir::new().with("probe").settings(&probe(REJECTS));
    let hooks = Arc::new(Hooks::load(dir.path(), &options(worker(&[]))).expect("hooks"));
    let (told, _listening) = Told::of(&hooks);
    let reload = || async {
        let hooks = hooks.clone();
        tokio::task::spawn_blocking(move || hooks.reload())
            .await
            .expect("a reload")
    };
    dir.put("large.wasm", &large("tiny"));
    dir.put("hooks.toml", limited(64 << 20).as_bytes());
    let Reload::Done(first) = reload().await else {
        panic!("nothing was applied");
    };
    assert_eq!(first.errors.len(), 1, "{first:?}");
    assert_eq!(told.count("compiling large.wasm"), 1);
    // Another file, other settings, and less memory.
    dir.put(
        "tiny.wasm",
        &std::fs::read(component("tiny")).expect("a file"),
    );
    reload().await;
    dir.put("hooks.toml", limited(63 << 20).as_bytes());
    reload().await;
    assert!(told.count("failed large.wasm") >= 3, "{:?}", told.all());
    assert_eq!(told.count("compiling large.wasm"), 1);
    assert_eq!(hooks.broken(), first.errors);
    // A larger memory limit needs a new compilation.
    dir.put("hooks.toml", limited(65 << 20).as_bytes());
    reload().await;
    assert_eq!(told.count("compiling large.wasm"), 2);
}
