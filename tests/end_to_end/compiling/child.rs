//! The child process, its limits and its end.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use portcullis::compiler::{Compiler, WorkerCommand};
use portcullis::hooks::{CacheChoice, LoadFault};
use portcullis::reload::WatchOptions;
use portcullis::{Decision, Hooks, LoadOptions, SessionOptions};
use portcullis_tests::{HooksDir, probe, soon, turn};
use tokio_util::sync::CancellationToken;

use super::{Gate, fault, large, options, tiny, worker};

#[tokio::test]
async fn what_a_child_compiled_runs_and_is_kept() {
    let dir = HooksDir::new()
        .with("probe")
        .settings(&probe("pre-turn = \"reject\""));
    let cache = tempfile::tempdir().expect("a directory");
    let kept = CacheChoice::Dir(cache.path().join("compiled"));
    let nobody = WorkerCommand::new("/nowhere/compiler", [""; 0]);
    let nobody = Compiler::Child(nobody);
    for (cache, compiler, loads) in [
        (&CacheChoice::None, worker(&[]), true),
        (&CacheChoice::None, nobody.clone(), false),
        (&kept, nobody.clone(), false),
        (&kept, worker(&[]), true),
        // From the cache, so that no compiler runs.
        (&kept, nobody, true),
    ] {
        let loaded = Hooks::load(
            dir.path(),
            &LoadOptions {
                cache: cache.clone(),
                ..options(compiler)
            },
        );
        if !loads {
            assert!(matches!(fault(loaded), LoadFault::Compiler(_)));
            continue;
        }
        let session = loaded.expect("a hook").session(SessionOptions::new("test"));
        let verdict = session.run(&mut turn("hello")).await;
        assert!(
            matches!(verdict.decision, Decision::Rejected { .. }),
            "{verdict:?}"
        );
    }
}

#[test]
fn a_compilation_ends_at_its_limits_and_the_cause_is_typed() {
    const MEMORY: u64 = 64 << 20;
    let dir = HooksDir::new().with_file("large.wasm", &large("tiny"));
    let load = |settings: &str| {
        std::fs::write(dir.path().join("hooks.toml"), settings).expect("a file");
        fault(Hooks::load(dir.path(), &options(worker(&[]))))
    };
    let over_memory = load(&format!("[engine]\ncompile-memory-bytes = {MEMORY}\n"));
    assert_eq!(over_memory, LoadFault::CompileMemory { most: MEMORY });
    assert!(
        over_memory
            .to_string()
            .contains("[engine] compile-memory-bytes")
    );
    // On a busy machine the child may get too little of the processor to reach its limit.
    let over_time = loop {
        match load("[engine]\ncompile-ms = 1_000\n") {
            LoadFault::CompileStarved { .. } => {}
            fault => break fault,
        }
    };
    let most = Duration::from_secs(1);
    assert_eq!(over_time, LoadFault::CompilesTooLong { most });
    // A limit too small even to read the component.
    let little = load("[engine]\ncompile-memory-bytes = 1\n");
    assert_eq!(little, LoadFault::CompileMemory { most: 1 });
}

#[test]
fn what_is_not_valid_is_told_in_the_compilers_words() {
    let whole = std::fs::read(portcullis_tests::component("tiny")).expect("a component");
    let dir = HooksDir::new().with_file("cut.wasm", &whole[..whole.len() - 1]);
    let [inside, outside] = [Compiler::InProcess, worker(&[])]
        .map(|compiler| fault(Hooks::load(dir.path(), &options(compiler))));
    assert!(matches!(outside, LoadFault::Invalid(_)), "{outside:?}");
    assert_eq!(inside, outside);
}

#[cfg(unix)]
#[test]
fn a_program_that_is_no_compiler_compiles_nothing() {
    let dir = tiny("");
    for (script, says) in [
        ("exit 0", "cannot run"),
        ("head -c 99 > /dev/null; echo native code", "cannot run"),
        // The processes that it leaves are killed.
        ("sleep 600 & exit 7", "exit status: 7"),
        ("echo out of order >&2; exit 7", "out of order"),
        ("kill -9 $$", "signal: 9"),
    ] {
        let shell = Compiler::Child(WorkerCommand::new("/bin/sh", ["-c", script]));
        match fault(Hooks::load(dir.path(), &options(shell))) {
            LoadFault::Compiler(text) => assert!(text.contains(says), "{script}: {text}"),
            other => panic!("{script}: {other:?}"),
        }
    }
}

/// The kernel ends a worker that does not end itself.
#[cfg(unix)]
#[test]
fn a_child_that_the_kernel_ended_at_a_limit_is_told_by_its_signal() {
    let dir = tiny("[engine]\ncompile-ms = 7_000\n");
    for (signal, expected) in [
        (
            "XCPU",
            LoadFault::CompilesTooLong {
                most: Duration::from_secs(7),
            },
        ),
        ("XFSZ", LoadFault::CompileMemory { most: 2 << 30 }),
    ] {
        let script = format!("kill -{signal} $$");
        let shell = Compiler::Child(WorkerCommand::new("/bin/sh", ["-c", &script]));
        assert_eq!(fault(Hooks::load(dir.path(), &options(shell))), expected);
    }
}

/// The worker does not check the clock while it computes: the signal ends it.
#[cfg(target_os = "linux")]
#[test]
fn the_kernel_keeps_the_limits_of_a_child() {
    let component = large("tiny");
    let mut child = Command::new(env!("CARGO_BIN_EXE_compile-worker"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("a worker");
    let mut pipe = child.stdin.take().expect("a pipe");
    let length = component.len();
    let request = format!(
        "{{\"fuel\":true,\"memory_bytes\":1073741824,\"time_ms\":7000,\"length\":{length}}}\n"
    );
    pipe.write_all(request.as_bytes()).expect("a pipe");
    // More than a pipe holds, so that the worker has set its limits once this is written.
    let (first, _) = component.split_at(1 << 20);
    pipe.write_all(first).expect("a pipe");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).expect("limits");
    drop(pipe);
    child.wait().expect("an end");
    for (name, soft, hard) in [
        ("Max cpu time", "9", "10"),
        ("Max file size", "1073741824", "1073741824"),
        ("Max data size", "1073741824", "1073741824"),
        ("Max core file size", "0", "0"),
    ] {
        let line = limits.lines().find(|line| line.starts_with(name));
        let line = line.expect(name).trim_start_matches(name);
        let kept: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(kept, [soft, hard], "{name}");
    }
}

/// The wall clock stops it: it uses no processor time that could be limited.
#[test]
fn a_child_that_only_waits_is_stopped() {
    let (dir, gate) = (tiny("[engine]\ncompile-ms = 20\n"), Gate::new());
    gate.close();
    let loaded = Hooks::load(dir.path(), &options(worker(&[&gate.file()])));
    let error = anyhow::Error::from(loaded.expect_err("no hooks"));
    // As printed for people, with its causes.
    let printed = format!("{error:#}");
    assert_eq!(
        printed.matches("was not compiled in").count(),
        1,
        "{printed}"
    );
    let error = error.downcast().expect("an error of loading");
    let LoadFault::CompileStarved { used, waited } = fault(Err(error)) else {
        panic!("{printed}");
    };
    assert!(waited >= Duration::from_millis(200), "{waited:?}");
    assert_eq!(used.is_some(), cfg!(target_os = "linux"));
    assert!(used.is_none_or(|used| used < waited), "{used:?}");
    assert!(
        printed.contains("the machine may be busy: try again"),
        "{printed}"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_ends_when_loading_is_cancelled() {
    let (dir, gate, cancel) = (tiny(""), Gate::new(), CancellationToken::new());
    gate.close();
    let loading = tokio::task::spawn_blocking({
        let (cancel, compiler) = (cancel.clone(), worker(&[&gate.file()]));
        move || {
            let options = LoadOptions {
                cancel,
                ..options(compiler)
            };
            fault(Hooks::load(dir.path(), &options))
        }
    });
    let process = gate.process().await;
    assert!(process.exists());
    cancel.cancel();
    assert_eq!(loading.await.expect("an end"), LoadFault::CompileCancelled);
    assert!(!process.exists());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_ends_when_nobody_has_the_hooks_any_more() {
    let (dir, gate) = (tiny(""), Gate::new());
    let hooks = Hooks::load(dir.path(), &options(worker(&[&gate.file()]))).expect("hooks");
    gate.close();
    dir.put("tiny.wasm", &portcullis_tests::variant("tiny", "new"));
    let watch = hooks.watch(WatchOptions::default()).expect("a watch");
    let process = gate.process().await;
    assert!(process.exists());
    drop((watch, hooks));
    soon("the end of the worker", || {
        (!process.exists()).then_some(())
    })
    .await;
}

/// The host's end closes the pipe.
#[test]
fn a_child_ends_when_its_pipe_is_closed() {
    let component = large("tiny");
    let mut child = Command::new(env!("CARGO_BIN_EXE_compile-worker"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("a worker");
    let mut pipe = child.stdin.take().expect("a pipe");
    let length = component.len();
    let request = format!(
        "{{\"fuel\":true,\"memory_bytes\":4294967296,\"time_ms\":60000,\"length\":{length}}}\n"
    );
    pipe.write_all(request.as_bytes()).expect("a pipe");
    pipe.write_all(&component).expect("a pipe");
    drop(pipe);
    // The code would be 0 if it had compiled the component.
    assert_eq!(child.wait().expect("an end").code(), Some(83));
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_a_compiler_leaves_behind_holds_nothing_up() {
    let dir = HooksDir::new().with_file("large.wasm", &large("tiny"));
    let (pid, ended) = (dir.path().join("pid"), dir.path().join("ended"));
    // The child keeps the input open, reads nothing from it, and is in a separate session.
    let script = format!(
        "exec 3<&0; setsid sh -c 'sleep 60; : > {}' <&3 & echo $! >{}; exit 7",
        ended.display(),
        pid.display()
    );
    let compiler = Compiler::Child(WorkerCommand::new("/bin/sh", ["-c", &script]));
    let found = fault(Hooks::load(dir.path(), &options(compiler)));
    let group = std::fs::read_to_string(pid).expect("a process");
    let group = format!("-{}", group.trim());
    let was_waited_for = ended.exists();
    // A process that has ended can be killed until it is waited for, so the result proves nothing.
    let _ = Command::new("kill").args(["-9", "--", &group]).status();
    assert!(!was_waited_for, "the process has ended");
    assert!(found.to_string().contains("exit status: 7"), "{found}");
}
