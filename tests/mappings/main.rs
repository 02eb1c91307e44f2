//! The host's count of its memory mappings, compared with the kernel's.
//!
//! The tests run one after another, in a process of their own: the mappings of the process are
//! counted.
#![cfg(target_os = "linux")]

mod kernel;

use memmap2::{Mmap, MmapMut};
use portcullis::verdict::Cause;
use portcullis::{Hooks, Session, SessionOptions};
use portcullis_tests::{HooksDir, tool_call, turn};
use tokio::sync::Mutex;

/// Held by each test, so that one runs at a time.
static ALONE: Mutex<()> = Mutex::const_new(());

fn sessions(hooks: &Hooks, count: usize) -> Vec<Session> {
    (0..count)
        .map(|n| hooks.session(SessionOptions::new(format!("session-{n}"))))
        .collect()
}

/// Calls the hooks in each session. Returns the causes of those that failed.
async fn call(sessions: &[Session]) -> Vec<Cause> {
    let mut causes = Vec::new();
    for session in sessions {
        for runs in [
            session.run(&mut turn("0")).await.runs,
            session.run(&mut tool_call(r#"{"path":"a"}"#)).await.runs,
        ] {
            causes.extend(runs.iter().filter_map(portcullis::verdict::HookRun::cause));
        }
    }
    causes
}

/// Loads hooks in Rust, of which one can wait and one cannot, in JavaScript and in Python.
fn hooks(settings: &str) -> Hooks {
    let dir = HooksDir::new().with("tiny").with("sleeper");
    let dir = dir.with("shell-linter").with("pii-redactor");
    dir.settings(&format!(
        "{settings}[turn]\nhooks-ms = 60_000\n[defaults.limits]\nwall-ms = 20_000\ndeadline-ms = 20_000\n"
    ))
    .load()
}

/// Regardless of the number of sessions, their instances have no more mappings than permitted, and
/// all of them are called.
#[tokio::test]
async fn no_more_mappings_than_there_may_be_however_many_sessions_there_are() {
    let _alone = ALONE.lock().await;
    let most = 200;
    let hooks = hooks(&format!("[engine]\nmemory-mappings = {most}\n"));
    let before = kernel::mappings();
    let sessions = sessions(&hooks, 120);
    for round in 0..2 {
        assert_eq!(call(&sessions).await, [], "round {round}");
        let now = kernel::mappings() - before;
        assert!(now <= most, "{now} mappings, and {most} are the most");
    }
    drop(sessions);
    let left = kernel::mappings().saturating_sub(before);
    assert!(left <= 20, "{left} mappings are left of no session");
}

/// The mappings also stay below the kernel's limit, beyond which the kernel ends the process.
#[tokio::test]
async fn the_kernels_limit_is_not_reached() {
    let _alone = ALONE.lock().await;
    let Some(most) = kernel::most_mappings().filter(|most| *most <= 300_000) else {
        xtask::test::not_run("the kernel gives a process too many mappings to make them all");
        return;
    };
    let hooks = hooks("[engine]\nmemory-mappings = 2_000\n");
    // The mappings that remain for the host: its instances, and as many again for threads and the
    // heap.
    let left = 4_000;
    let mut others: Vec<(MmapMut, Mmap)> = Vec::new();
    for _ in 0..(most - left - kernel::mappings()) / 2 {
        let page = || MmapMut::map_anon(1).expect("a mapping");
        // Two mappings with different protection are not merged.
        others.push((page(), page().make_read_only().expect("a mapping")));
    }
    assert!(kernel::mappings() >= most - left - 100);
    let sessions = sessions(&hooks, 1_000);
    assert_eq!(call(&sessions).await, []);
    assert!(kernel::mappings() <= most - left / 3);
}
