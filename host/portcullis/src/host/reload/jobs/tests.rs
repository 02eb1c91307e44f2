use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::host::hooks::{CacheChoice, LoadOptions, generation};
use crate::host::reload::{Reload, Reloaded};

/// Opens a directory whose components are compiled by these jobs.
fn source(dir: &Path, jobs: Jobs) -> Arc<Source> {
    let options = LoadOptions {
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    let (mut source, _) = Source::open(dir, None, &options).expect("an empty directory");
    source.set_jobs(jobs);
    Arc::new(source)
}

/// Writes a file that compiles but is not a hook.
fn put(dir: &Path) {
    std::fs::write(dir.join("new.wasm"), b"\0asm\x0d\0\x01\0").expect("a file");
}

fn done(reload: Reload) -> Reloaded {
    match reload {
        Reload::Done(done) => done,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_without_a_thread_is_named_and_compiled_by_the_next_reload() {
    static REFUSES: AtomicBool = AtomicBool::new(true);
    let dir = tempfile::tempdir().expect("a directory");
    let start: Start = |work| match REFUSES.load(Ordering::SeqCst) {
        true => Err(io::ErrorKind::WouldBlock.into()),
        false => std::thread::Builder::new().spawn(work).map(drop),
    };
    let source = source(
        dir.path(),
        Jobs {
            start,
            ..Jobs::default()
        },
    );
    put(dir.path());
    let first = done(source.reload());
    assert_eq!(first.compiling, [dir.path().join("new.wasm")]);
    assert!(first.errors.is_empty(), "{first:?}");
    REFUSES.store(false, Ordering::SeqCst);
    // No other unit test reloads hooks, so the generation is stable.
    let before = generation();
    let second = done(source.reload());
    assert!(second.compiling.is_empty(), "{second:?}");
    assert_eq!(second.errors.len(), 1, "it is no hook: {second:?}");
    assert_eq!(generation(), before, "no session has to make chains");
}

#[test]
fn a_file_whose_thread_panics_is_named_and_compiled_by_the_next_reload() {
    let dir = tempfile::tempdir().expect("a directory");
    let source = source(dir.path(), Jobs::default());
    let panics = Arc::new(AtomicBool::new(true));
    let told = panics.clone();
    let _listening = source.tells_progress(move |progress| {
        if matches!(progress, Progress::Compiling(_)) {
            assert!(!told.load(Ordering::SeqCst), "a listener that panics");
        }
    });
    put(dir.path());
    let first = done(source.reload());
    assert_eq!(first.compiling, [dir.path().join("new.wasm")]);
    panics.store(false, Ordering::SeqCst);
    let second = done(source.reload());
    assert!(second.compiling.is_empty(), "{second:?}");
    assert_eq!(second.errors.len(), 1, "it is no hook: {second:?}");
}
