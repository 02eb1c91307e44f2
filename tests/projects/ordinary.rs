//! Ordinary code of every language works in a hook: output, clocks, random numbers, promises, and
//! imports in functions. A failure names its place and reason.

mod javascript;
mod python;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use portcullis::observer::{HookEvent, HookObserver, LogLevel, LogLine};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Hooks, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::from_nothing::built_once;
use super::hooks_dir;

/// The recorded log.
#[derive(Default)]
struct Logged(Mutex<Vec<(LogLevel, String)>>);

impl HookObserver for Logged {
    fn log(&self, line: LogLine<'_>) {
        assert_eq!(line.hook.as_str(), "my-hook");
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push((line.level, line.message.to_owned()));
    }

    fn event(&self, _: HookEvent) {}
}

/// The hook of a language, loaded without any grant but that of the content.
pub(super) struct Ordinary {
    hooks: Hooks,
}

impl Ordinary {
    pub(super) fn new(language: Language, file: &str, source: &str) -> Self {
        Self::serving(&["pre-turn"], language, &[(file, source)])
    }

    fn of_files(language: Language, files: &[(&str, &str)]) -> Self {
        Self::serving(&["pre-turn"], language, files)
    }

    fn serving(points: &[&str], language: Language, files: &[(&str, &str)]) -> Self {
        let grants = "[hooks.my-hook.grants]\nviews = [\"content\"]\n";
        Self::with(points, language, files, grants)
    }

    pub(super) fn granted(language: Language, files: &[(&str, &str)], grants: &str) -> Self {
        Self::with(&["pre-turn"], language, files, grants)
    }

    fn with(points: &[&str], language: Language, files: &[(&str, &str)], grants: &str) -> Self {
        // A language's runtime takes time to compile and to start.
        let settings = format!(
            "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
             [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n{grants}"
        );
        let load = |component: &[u8]| {
            let dir = hooks_dir().with_file("my-hook.wasm", component);
            dir.settings(&settings).load()
        };
        // The worker's compilation is kept too: the next test finds it in the cache.
        let compile = |component: &[u8]| drop(load(component));
        let component = built_once(language, points, files, compile);
        Self {
            hooks: load(&component),
        }
    }

    /// Returns the results of one instance in several calls: a refusal's reason, a failure's
    /// message, or nothing.
    pub(super) async fn calls(&self, actions: &[&str]) -> Vec<String> {
        let session = self.hooks.session(SessionOptions::new("test"));
        let mut outcomes = Vec::new();
        for action in actions {
            let verdict = session.run(&mut turn(action)).await;
            outcomes.push(match (verdict.decision, &verdict.runs[0].status) {
                (_, RunStatus::Failed { message, .. }) => message.to_string(),
                (Decision::Rejected { rejection, .. }, _) => rejection.reason,
                _ => String::new(),
            });
        }
        outcomes
    }

    /// Returns a new instance's answer and log, or the failure with its message.
    pub(super) async fn act(
        &self,
        action: &str,
    ) -> (Result<String, (Cause, String)>, Vec<(LogLevel, String)>) {
        let sink = Arc::new(Logged::default());
        let session = self.session(sink.clone());
        let said = act_in(&session, action).await;
        let lines = sink
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        (said, lines)
    }

    fn session(&self, sink: Arc<Logged>) -> Session {
        self.hooks.session(SessionOptions {
            sink,
            ..SessionOptions::new("test")
        })
    }

    pub(super) async fn says(&self, action: &str) -> String {
        let (said, _) = self.act(action).await;
        said.unwrap_or_else(|error| panic!("{action}: {error:?}"))
    }

    pub(super) async fn fails(&self, action: &str) -> (Cause, String) {
        let (said, _) = self.act(action).await;
        said.expect_err(action)
    }

    /// Checks the behaviour of every language.
    pub(super) async fn behaves(&self) {
        let (said, mut lines) = self.act("print").await;
        assert_eq!(said, Ok(String::new()));
        // Languages differ in when they write a line without an end.
        lines.sort_by_key(|(level, line)| (*level, line.clone()));
        let expected = [
            (LogLevel::Info, "no end".to_owned()),
            (LogLevel::Info, "out 1".to_owned()),
        ];
        assert_eq!(lines.get(..2), Some(&expected[..]), "{lines:?}");
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(
            lines[2].0 >= LogLevel::Warn && lines[2].1 == "err",
            "{lines:?}"
        );

        let now = || {
            SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .expect("a time")
                .as_millis()
        };
        let before = now();
        let said: u128 = self.says("time").await.parse().expect("milliseconds");
        assert!((before..=now()).contains(&said), "{before} {said}");

        assert_ne!(self.says("random").await, self.says("random").await);
    }
}

/// Returns the answer of the session's instance, or the failure with its message.
pub(super) async fn act_in(session: &Session, action: &str) -> Result<String, (Cause, String)> {
    let verdict = session.run(&mut turn(action)).await;
    match (verdict.decision, &verdict.runs[0].status) {
        (_, RunStatus::Failed { cause, message, .. }) => Err((*cause, message.to_string())),
        (Decision::Rejected { rejection, .. }, _) => Ok(rejection.reason),
        (other, _) => panic!("{action}: {other:?}"),
    }
}

#[tokio::test]
async fn in_rust() {
    let hook = Ordinary::new(
        Language::Rust,
        "src/lib.rs",
        include_str!("ordinary/hook.rs"),
    );
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("panicked at src/lib.rs:32:18: boom 3"),
        "{message}"
    );
    for (action, told) in [
        ("error", "invalid digit found in string (at src/lib.rs:30:"),
        ("made", "no more (at src/lib.rs:31:"),
    ] {
        let (cause, message) = hook.fails(action).await;
        assert_eq!(cause, Cause::GuestError);
        assert!(message.contains(told), "{message}");
    }
}

fn in_c_language() -> Ordinary {
    Ordinary::new(Language::C, "src/hook.c", include_str!("ordinary/hook.c"))
}

#[tokio::test]
async fn what_is_printed_is_bounded_like_the_log() {
    let (said, lines) = in_c_language().act("flood").await;
    assert_eq!(said, Ok(String::new()));
    // 16 KiB and 256 lines are the defaults; the last line states that there were more.
    let bytes: usize = lines.iter().map(|(_, line)| line.len()).sum();
    assert!(
        lines.len() <= 257 && bytes < 17 << 10,
        "{} lines, {bytes} bytes",
        lines.len()
    );
    assert!(
        lines
            .iter()
            .any(|(_, line)| line == "line 0 of what is too much")
    );
    assert!(
        lines
            .last()
            .is_some_and(|(_, line)| line.contains("more than 256 log lines"))
    );
}

#[tokio::test]
async fn what_is_printed_is_harmless_and_a_trap_has_it() {
    let (said, lines) = in_c_language().act("red").await;
    let (cause, message) = said.expect_err("it aborts");
    assert_eq!(cause, Cause::Trap);
    let harmless = r"\u{1b}[31mred";
    assert_eq!(lines, [(LogLevel::Warn, harmless.to_owned())]);
    assert!(message.contains(harmless), "{message}");
}

#[tokio::test]
async fn a_file_that_stays_open_is_read_on_in_the_next_call() {
    let hook = in_c_language();
    let session = hook.session(Arc::default());
    for read in ["500, line 499", "500, line 999"] {
        assert_eq!(act_in(&session, "read on").await, Ok(read.to_owned()));
    }
}

#[tokio::test]
async fn a_bad_argument_is_told_without_the_functions_that_were_running() {
    let (cause, message) = in_c_language().fails("much").await;
    assert_eq!(cause, Cause::BadOutput);
    assert!(
        message.contains("`output-bytes` of its limits"),
        "{message}"
    );
    assert!(!message.contains("on_pre_turn"), "{message}");
}

#[tokio::test]
async fn in_c() {
    let hook = in_c_language();
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("boom 3") && message.contains("hook.c: on_pre_turn: 74"),
        "{message}"
    );
    assert!(
        message.ends_with("at on_pre_turn (src/hook.c:74)"),
        "{message}"
    );
    let (cause, message) = hook.fails("trap").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.ends_with("executed: at inner (src/hook.c:15), at on_pre_turn (src/hook.c:72)"),
        "{message}"
    );
}

#[tokio::test]
async fn in_cpp() {
    let source = include_str!("ordinary/hook.cpp");
    let hook = Ordinary::new(Language::Cpp, "src/hook.cpp", source);
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("boom 3") && message.ends_with("at on_pre_turn() (src/hook.cpp:47)"),
        "{message}"
    );
    // The library checks the index.
    let (cause, message) = hook.fails("trap").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.ends_with("(src/hook.cpp:21), at on_pre_turn() (src/hook.cpp:45)"),
        "{message}"
    );
}

#[tokio::test]
async fn in_zig() {
    let source = include_str!("ordinary/hook.zig");
    let hook = Ordinary::new(Language::Zig, "src/hook.zig", source);
    hook.behaves().await;
    assert_eq!(hook.says("file").await, "no file");
    assert_eq!(hook.says("empty").await, "");
    let (cause, message) = hook.fails("error").await;
    assert_eq!(cause, Cause::GuestError);
    assert!(message.contains("error.NotToday"), "{message}");
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::Trap);
    assert!(
        message.contains("panic: boom 3") && message.contains("(src/hook.zig:47)"),
        "{message}"
    );
    let (_, message) = hook.fails("trap").await;
    for said in [
        "index out of bounds: index 4, len 3",
        "(src/hook.zig:12)",
        "(src/hook.zig:45)",
    ] {
        assert!(message.contains(said), "{message}");
    }
}
