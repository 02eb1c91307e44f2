//! The faults of a file: the file, the cause, the fix.

use portcullis::hooks::{CacheChoice, HooksError, LoadFault, Stage};
use portcullis::{Hooks, LoadOptions};
use portcullis_tests::{HooksDir, component, hook, probe};

/// Returns the only error of a directory that contains this file.
fn fault(name: &str, bytes: &[u8]) -> (LoadFault, Stage, String) {
    let dir = HooksDir::new().with_file(name, bytes);
    match dir.try_load() {
        Err(HooksError::Load(errors)) if errors.0.len() == 1 => {
            let error = &errors.0[0];
            let text = error.to_string();
            assert!(text.contains(name), "{text}");
            (error.fault.clone(), error.stage, text)
        }
        other => panic!("{other:?}"),
    }
}

fn wat(text: &str) -> Vec<u8> {
    wat::parse_str(text).expect("a component in text")
}

#[test]
fn files_that_are_no_components_are_told_apart() {
    let (fault_, stage, text) = fault("module.wasm", &wat("(module)"));
    assert_eq!((fault_, stage), (LoadFault::CoreModule, Stage::Read));
    assert!(text.contains("wasm32-wasip2"), "{text}");

    let (fault_, ..) = fault("native.wasm", b"\x7fELF\x02\x01\x01");
    assert_eq!(fault_, LoadFault::NativeCode);

    let (fault_, ..) = fault("script.wasm", b"#!/bin/sh\n");
    assert!(matches!(fault_, LoadFault::NotWasm(_)));

    let (fault_, ..) = fault("empty.wasm", b"");
    assert_eq!(fault_, LoadFault::Empty);
}

#[test]
fn a_component_that_is_cut_off_is_not_valid() {
    let whole = std::fs::read(component("tiny")).expect("a component");
    for length in [9, 100, whole.len() / 2, whole.len() - 1] {
        let (fault, stage, text) = fault("cut.wasm", &whole[..length]);
        assert!(matches!(fault, LoadFault::Invalid(_)), "{length}: {text}");
        assert_eq!(stage, Stage::Compile, "{length}");
        assert!(text.contains("copy it again"), "{text}");
    }
}

#[test]
fn a_component_without_points_or_card_is_no_hook() {
    let (fault_, ..) = fault("bare.wasm", &wat("(component)"));
    assert_eq!(fault_, LoadFault::NoPoint);
}

#[test]
fn an_unknown_name_of_ours_is_named_with_the_nearest() {
    let export = |name: &str| {
        wat(&format!(
            "(component (instance $i) (export \"{name}\" (instance $i)))"
        ))
    };
    let (_, stage, text) = fault("new.wasm", &export("portcullis:hooks/pre-trun@0.2.0"));
    assert_eq!(stage, Stage::Inspect);
    assert!(
        text.contains("did you mean `portcullis:hooks/pre-turn@0.2.0`"),
        "{text}"
    );
    let (_, _, text) = fault("future.wasm", &export("portcullis:hooks/pre-turn@0.3.0"));
    assert!(text.contains("this host serves version 0.2."), "{text}");
    let (_, _, text) = fault("other.wasm", &export("portcullis:sandbox/pre-turn@0.2.0"));
    assert!(text.contains("does not know"), "{text}");
    // A language runtime's own exports are ignored.
    let (fault_, ..) = fault("runtime.wasm", &export("wasi:cli/run@0.2.0"));
    assert_eq!(fault_, LoadFault::NoPoint);
}

#[test]
fn an_import_that_nobody_grants_is_named_with_its_grant() {
    let error = HooksDir::new()
        .with("probe")
        .try_load()
        .expect_err("an error")
        .to_string();
    assert!(error.contains("probe.wasm"), "{error}");
    assert!(
        error.contains("[hooks.probe.grants] state = true"),
        "{error}"
    );
    assert!(
        error.contains("[hooks.probe.grants] events = true"),
        "{error}"
    );
}

#[test]
fn an_import_that_this_host_does_not_have_is_named() {
    let sockets = "(component (import \"wasi:sockets/network@0.2.0\" (instance)))";
    let (fault_, _, text) = fault("sockets.wasm", &wat(sockets));
    assert!(matches!(fault_, LoadFault::UnknownImport { .. }), "{text}");
    assert!(text.contains("out of a hook's reach"), "{text}");
}

#[test]
fn one_broken_hook_stops_all_unless_the_operator_says_otherwise() {
    let dir = HooksDir::new()
        .with("tiny")
        .with_file("broken.wasm", b"nonsense");
    assert!(dir.try_load().is_err());
    let options = LoadOptions {
        skip_broken: true,
        cache: portcullis_tests::cache(),
        ..LoadOptions::default()
    };
    let hooks = portcullis::Hooks::load(dir.path(), &options).expect("the others");
    assert_eq!(hooks.reports().len(), 1);
    assert_eq!(hooks.broken().len(), 1);
}

#[test]
fn two_files_with_one_id_are_refused() {
    let tiny = std::fs::read(component("tiny")).expect("a component");
    let error = HooksDir::new()
        .with("tiny")
        .with_file("copy.wasm", &tiny)
        .try_load()
        .expect_err("an error")
        .to_string();
    assert!(
        error.contains("copy.wasm") && error.contains("tiny.wasm"),
        "{error}"
    );
}

#[test]
fn an_impostor_is_an_error_also_where_broken_hooks_are_skipped() {
    let tiny = std::fs::read(component("tiny")).expect("a component");
    let dir = HooksDir::new().with("tiny").with_file("a.wasm", &tiny);
    let options = LoadOptions {
        skip_broken: true,
        cache: portcullis_tests::cache(),
        ..LoadOptions::default()
    };
    assert!(portcullis::Hooks::load(dir.path(), &options).is_err());
}

#[test]
fn only_wasm_files_are_looked_at() {
    let dir = HooksDir::new()
        .with("tiny")
        .with_file("notes.txt", b"nothing")
        .with_file("cached.cwasm", b"\x7fELF");
    assert_eq!(dir.load().reports().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let dir = HooksDir::new();
    let pipe = dir.path().join("pipe.wasm");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let error = dir.try_load().expect_err("an error").to_string();
    assert!(error.contains("not a regular file"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_cache_that_others_can_write_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let dir = HooksDir::new().with("tiny");
    let cache = tempfile::tempdir().expect("a directory");
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(cache.path(), open).expect("permissions");
    let options = LoadOptions {
        cache: CacheChoice::Dir(cache.path().to_owned()),
        ..LoadOptions::default()
    };
    let error = portcullis::Hooks::load(dir.path(), &options)
        .expect_err("an error")
        .to_string();
    assert!(error.contains("delete it"), "{error}");
}

#[test]
fn a_compiled_hook_is_taken_from_the_cache() {
    use std::sync::Mutex;
    let dir = HooksDir::new().with("tiny");
    let cache = tempfile::tempdir().expect("a directory");
    let loads = || {
        let from_cache = Mutex::new(None);
        let options = LoadOptions {
            cache: CacheChoice::Dir(cache.path().join("compiled")),
            progress: &|progress| {
                if let portcullis::hooks::Progress::Loaded {
                    from_cache: was, ..
                } = progress
                {
                    *from_cache.lock().expect("no panic") = Some(was);
                }
            },
            ..LoadOptions::default()
        };
        portcullis::Hooks::load(dir.path(), &options).expect("a hook");
        from_cache.into_inner().expect("no panic")
    };
    assert_eq!(loads(), Some(false));
    assert_eq!(loads(), Some(true));
    // An incomplete file in the cache is not used.
    let entry = std::fs::read_dir(cache.path().join("compiled"))
        .expect("the cache")
        .next()
        .expect("an entry")
        .expect("an entry");
    std::fs::write(entry.path(), b"cut off").expect("a write");
    assert_eq!(loads(), Some(false));
}

#[test]
fn a_hook_that_is_switched_off_needs_no_grants_and_serves_nothing() {
    let dir = HooksDir::new()
        .with("probe")
        .settings("[hooks.probe]\nenabled = false\n");
    let hooks = dir.load();
    assert!(hooks.order(portcullis::points::PointId::PreTurn).is_empty());
}

#[test]
fn a_report_says_what_a_hook_is_and_can() {
    let dir = HooksDir::new().with("probe").settings(&probe(""));
    let report = &dir.load().reports()[0];
    assert_eq!(report.id.as_str(), "probe");
    assert_eq!(report.points, portcullis::points::PointId::ALL);
    let reach = report.reach();
    assert!(
        reach
            .see
            .contains(&"read the whole conversation".to_owned())
    );
    assert!(
        reach
            .change
            .contains(&"write parts of the prompt".to_owned())
    );
    assert_eq!(report.contributes.len(), 6);
    let json = serde_json::to_value(report).expect("json");
    assert_eq!(json["limits"]["deadline-ms"], 100);
    assert_eq!(json["failure"], "fail-closed");
}

#[test]
fn a_report_says_what_holds_and_not_what_the_author_wished() {
    let said = "role = \"observe\"\nexecution = \"background\"\npriority = 7\nmode = \"audit\"";
    let dir = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", said, ""));
    let report = serde_json::to_value(&dir.load().reports()[0]).expect("json");
    for (key, value) in [
        ("role", "observe"),
        ("execution", "background"),
        ("failure", "fail-open"),
        ("mode", "audit"),
    ] {
        assert_eq!(report[key], value, "{key}");
    }
    assert_eq!(report["priority"], 7);
}

#[test]
fn what_compiles_too_long_does_not_load_and_the_fix_is_named() {
    let uncached = LoadOptions {
        cache: CacheChoice::None,
        ..LoadOptions::default()
    };
    for (ms, loads) in [(1, false), (60_000, true)] {
        let dir = HooksDir::new()
            .with("tiny")
            .settings(&format!("[engine]\ncompile-ms = {ms}\n"));
        match Hooks::load(dir.path(), &uncached) {
            Ok(_) => assert!(loads, "{ms}"),
            Err(error) => {
                assert!(!loads, "{ms}: {error}");
                let error = error.to_string();
                assert!(
                    error.contains("more than 1 ms of processor time"),
                    "{error}"
                );
                assert!(error.contains("[engine] compile-ms"), "{error}");
            }
        }
    }
}

#[test]
fn what_is_too_large_is_not_compiled() {
    let size = std::fs::metadata(portcullis_tests::component("tiny"))
        .expect("a component")
        .len();
    for (most, loads) in [(size - 1, false), (size, true)] {
        let dir = HooksDir::new()
            .with("tiny")
            .settings(&format!("[engine]\ncomponent-bytes = {most}\n"));
        match dir.try_load() {
            Ok(_) => assert!(loads, "{most}"),
            Err(error) => {
                assert!(!loads, "{most}: {error}");
                assert!(error.to_string().contains("component-bytes"), "{error}");
            }
        }
    }
}
