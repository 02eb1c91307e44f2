//! More instances than the host has memory mappings for. `tests/mappings` compares them with the
//! kernel's count.

use portcullis::reload::Reload;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, SessionOptions};
use portcullis_tests::{HooksDir, hook, text, tool_call, turn};

use crate::told::Told;

/// Loads a hook that sleeps for a minute, and others, with mappings for a few instances.
fn sleepers(settings: &str) -> Hooks {
    let dir = HooksDir::new().with("sleeper").with("tiny");
    dir.settings(&format!(
        "[engine]\nmemory-mappings = 60\n[hooks.sleeper.limits]\nwall-ms = 120_000\n{settings}"
    ))
    .load()
}

/// Calls the sleeper in one session after another, until a call fails. Returns the cause and the
/// message, and the number of sleepers; their calls are over then.
async fn until_one_fails(hooks: &Hooks, guard: bool) -> (Option<Cause>, String, usize) {
    let sessions: Vec<_> = (0..60)
        .map(|n| hooks.session(SessionOptions::new(format!("session-{n}"))))
        .collect();
    let mut calls: Vec<_> = sessions.iter().map(|_| turn("60000")).collect();
    let mut asleep = Vec::new();
    for (session, call) in sessions.iter().zip(&mut calls) {
        let mut running = Box::pin(session.run(call));
        match futures::poll!(&mut running) {
            std::task::Poll::Pending => asleep.push(running),
            std::task::Poll::Ready(verdict) => {
                let run = &verdict.runs[0];
                let message = match &run.status {
                    RunStatus::Failed { message, .. } => message.to_string(),
                    other => format!("{other:?}"),
                };
                if guard {
                    let guarded = hooks.session(SessionOptions::new("guarded"));
                    let verdict = guarded.run(&mut tool_call(r#"{"path":"a"}"#)).await;
                    assert!(verdict.decision.passed(), "{verdict:?}");
                }
                return (run.cause(), message, asleep.len());
            }
        }
    }
    panic!("{} calls of 60 run", asleep.len());
}

#[tokio::test]
async fn a_start_without_mappings_is_an_overload() {
    let hooks = sleepers("");
    let (cause, message, slept) = until_one_fails(&hooks, false).await;
    assert_eq!(cause, Some(Cause::Overload), "{message}");
    assert!(message.contains("[engine] memory-mappings"), "{message}");
    assert!((2..12).contains(&slept), "{slept} slept");
    let session = hooks.session(SessionOptions::new("later"));
    let verdict = session.run(&mut turn("0")).await;
    assert_eq!(verdict.runs[0].cause(), None, "the others have ended");
}

#[tokio::test]
async fn observers_leave_half_of_the_mappings_to_guards() {
    let hooks = sleepers("[hooks.sleeper]\nrole = \"observe\"\n");
    let (cause, message, slept) = until_one_fails(&hooks, true).await;
    assert_eq!(cause, Some(Cause::Overload), "{message}");
    assert!(message.contains("half of"), "{message}");
    assert!(slept > 0, "none slept");
}

#[test]
fn hooks_that_never_have_mappings_enough_do_not_load() {
    for (most, why) in [
        (
            3,
            "it takes 5 memory mappings, and it may have no more than 3",
        ),
        (
            15,
            "it takes 8 memory mappings, and it may have no more than 7",
        ),
    ] {
        let dir = HooksDir::new().with("tiny");
        let dir = dir.settings(&format!("[engine]\nmemory-mappings = {most}\n"));
        let error = dir.try_load().expect_err("too few mappings").to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn code_that_is_loaded_already_is_counted_once() {
    let settings = "[engine]\nmemory-mappings = 40\n";
    let dir = HooksDir::new().with("sleeper").with("tiny");
    let dir = dir.settings(settings);
    let hooks = dir.load();
    let used = || hooks.memory_mappings().expect("a directory's").used;
    assert_eq!(used(), 16);
    for priority in [1, 2] {
        let changed = format!("{settings}[hooks.tiny]\npriority = {priority}\n");
        dir.put("hooks.toml", changed.as_bytes());
        let Reload::Done(reloaded) = hooks.reload() else {
            panic!("the settings are read")
        };
        assert_eq!(reloaded.errors, [], "{priority}");
        assert_eq!(used(), 16);
    }
}

#[tokio::test]
async fn the_mappings_in_use_are_reported() {
    let dir = HooksDir::new().with("tiny");
    let hooks = dir.settings("[engine]\nmemory-mappings = 60\n").load();
    let most = hooks.reports()[0].shared.engine_memory_mappings;
    let now = || hooks.memory_mappings().expect("a directory's");
    assert_eq!((most, now().most, now().used), (60, 60, 8));
    let session = hooks.session(SessionOptions::new("one"));
    session.run(&mut tool_call(r#"{"path":"a"}"#)).await;
    assert_eq!(now().used, 8 + 5);
    drop(session);
    assert_eq!(now().used, 8);
    // The kernel's limit applies regardless of the settings.
    let dir = HooksDir::new().with("tiny");
    let hooks = dir
        .settings("[engine]\nmemory-mappings = 9_000_000_000_000\n")
        .load();
    let given = hooks.memory_mappings().expect("a directory's").most;
    assert_eq!(given, hooks.reports()[0].shared.engine_memory_mappings);
    assert!(cfg!(not(target_os = "linux")) || given < 9_000_000_000_000);
}

#[tokio::test]
async fn an_instance_that_waits_for_its_next_call_is_given_up_for_others() {
    for isolation in ["session", "shared"] {
        let settings = format!("isolation = \"{isolation}\"");
        let probe = hook("probe", &settings, "pre-turn = \"count\"");
        let dir = HooksDir::new().with("probe").with("tiny");
        let hooks = dir
            .settings(&format!("[engine]\nmemory-mappings = 40\n{probe}"))
            .load();
        let session = hooks.session(SessionOptions::new("one"));
        let mut open = Vec::new();
        let (mut counted, mut restarted) = (Vec::new(), Vec::new());
        let told = Told::default();
        let _heard = tracing::subscriber::set_default(told.clone());
        for others in [0, 0, 40] {
            for n in 0..others {
                let other = hooks.session(SessionOptions::new(format!("other-{n}")));
                let verdict = other.run(&mut tool_call(r#"{"path":"a"}"#)).await;
                assert!(verdict.decision.passed(), "{verdict:?}");
                open.push(other);
            }
            let mut call = turn("hello");
            let verdict = session.run(&mut call).await;
            assert!(verdict.decision.passed(), "{verdict:?}");
            counted.push(text(&call));
            restarted.push(verdict.runs[0].restarted);
        }
        // The last one is a new instance's.
        assert_eq!(counted, ["1", "2", "1"], "{isolation}");
        assert_eq!(restarted, [false, false, true], "{isolation}");
        let all = told.all();
        let counted = "portcullis_hook_restarted=1 hook=probe";
        assert!(all.contains(counted), "{isolation}: {all}");
        // Reported once, regardless of the number of evictions.
        let warned = all.matches("its instance was evicted, and").count();
        assert_eq!(warned, 1, "{isolation}: {all}");
    }
}
